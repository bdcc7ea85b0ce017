package e2e_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// atName starts the installation again at the name of its host: browsers keep passkeys for names only.
func (p *product) atName() {
	p.t.Helper()
	u, err := url.Parse(p.url)
	dbtest.Must(p.t, err)
	p.interrupt()
	p.url = "http://localhost:" + u.Port()
	p.settings = append(p.settings, "PUBLIC_URL="+p.url)
	p.start(u.Host)
}

// giveAuthenticator gives the tab's browser a device that keeps passkeys and knows its owner.
func (b *tab) giveAuthenticator() webauthn.AuthenticatorID {
	b.t.Helper()
	var device webauthn.AddVirtualAuthenticatorResult
	b.do(send(webauthn.Enable, webauthn.EnableParams{}),
		withResult(&device, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
			Options: &webauthn.VirtualAuthenticatorOptions{Protocol: webauthn.AuthenticatorProtocolCtap2,
				Ctap2version: webauthn.Ctap2versionCtap21, Transport: webauthn.AuthenticatorTransportInternal,
				HasResidentKey: true, HasUserVerification: true, IsUserVerified: true,
				AutomaticPresenceSimulation: true, DefaultBackupEligibility: true, DefaultBackupState: true}}))
	return device.AuthenticatorID
}

// A person adds a passkey, signs out, signs in by it without a name or a password, and removes it.
func TestPasskey_InBrowser(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	p.atName()
	d := p.newDiner(0)
	b := p.newVisitor(phoneKo).newTab()
	device := b.giveAuthenticator()
	b.open(views.SignInURL(""))
	b.signIn(d.email, password)

	const add, signIn = `form[data-passkey="create"]`, `form[data-passkey="get"]`
	b.open(views.AccountSessionsURL())
	b.check("sessions where a passkey can be added")
	b.enter("#field-name", "내 휴대폰")
	b.click(add + " button")
	b.untilSays(".toast", i18n.T("ko", "flash.passkey_added"))
	b.untilSays("section[aria-labelledby=passkeys-title]", "내 휴대폰")
	b.check("sessions with a passkey")
	b.click(add + " button") // the device has one
	b.untilSays("[data-passkey-state]", i18n.T("ko", "error.passkey_taken"))

	b.click(`form[action="/signout"] button`)
	b.until("nobody is signed in", exists(`a[href^="/signin"]`))
	b.open(views.SignInURL("/wallet"))
	b.check("sign-in by a passkey")
	b.click(signIn + " button")
	b.untilAt("/wallet")

	b.open(views.AccountSessionsURL())
	b.click(`form[action="` + views.AccountRemovePasskeyURL() + `"] button`)
	b.untilSays(".toast", i18n.T("ko", "flash.passkey_removed"))
	b.open(views.SignInURL("/wallet"))
	b.expect("409")
	b.click(signIn + " button") // the device still has it
	b.untilSays("main", i18n.T("ko", "error.passkey_refused"))

	b.do(send(webauthn.RemoveVirtualAuthenticator, webauthn.RemoveVirtualAuthenticatorParams{AuthenticatorID: device}))
	without := p.newVisitor(phoneKo).newTab().withoutScript()
	without.open(views.SignInURL(""))
	without.until("no passkey is offered", `document.querySelector('form[data-passkey]').hidden`)
}

// withResult is the step of sending a protocol command, and of noting what it returns.
func withResult[P, R any](result *R, command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) (err error) {
		*result, err = cdp.Call(ctx, t, command, params)
		return err
	})
}
