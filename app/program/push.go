package program

import (
	"time"

	"lunchgo/app/push"
	"lunchgo/app/reserve"
	"lunchgo/app/webhooks"
)

// addPush builds what diners do with their subscriptions, and the sender. Endpoints are strangers' addresses, as those
// of webhooks are.
func (p *Program) addPush(catalog reserve.Catalog) error {
	keys, err := push.NewKeys(p.config.Secrets)
	if err != nil {
		return err
	}
	c := p.config.Webhooks
	p.Push = &push.Service{Store: p.Stores.Pushes, Keys: keys, PrivateNetworks: c.PrivateNetworks}
	c.Timeout = push.TryTimeout
	p.pusher = push.Sender{Store: p.Stores.Pushes, Composer: p.composer(catalog, ""), Keys: keys,
		Client: webhooks.NewClient(c), Site: p.config.Mail.Site, Now: time.Now, Log: p.log}
	return nil
}
