package program

import (
	"lunchgo/app/web/ops"
	"lunchgo/app/webhooks"
)

// addWebhooks builds what owners do with their endpoints, and the sender.
func (p *Program) addWebhooks() error {
	vault, err := webhooks.NewVault(p.config.Secrets)
	if err != nil {
		return err
	}
	c := p.config.Webhooks
	p.Webhooks = &webhooks.Service{Store: p.Stores.Webhooks, Vault: vault,
		PrivateNetworks: c.PrivateNetworks, Now: p.config.Now}
	p.sender = webhooks.Sender{Queue: p.Stores.Webhooks, Vault: vault, Client: webhooks.NewClient(c),
		Observer: webhookFigures{p.webhookMetrics}, Now: p.config.Now, Log: p.log}
	return nil
}

// webhookFigures shows at /metrics what the sender does.
type webhookFigures struct{ *ops.WebhookMetrics }

// Tried implements webhooks.Observer.
func (f webhookFigures) Tried(_ webhooks.Try, v webhooks.Verdict) {
	f.WebhookMetrics.Tried(string(v.State))
}

// Waits implements webhooks.Observer.
func (f webhookFigures) Waits(b webhooks.Backlog) {
	f.WebhookMetrics.Waits(b.Waiting, b.Retries, b.Oldest.Seconds())
}
