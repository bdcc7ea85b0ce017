package views_test

import (
	"context"
	"net/http"
	"testing"

	permissions "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// watchNotifications notes what a page does with notifications, and lets a test say that nobody looks at it.
const watchNotifications = `
	window.asked = 0; window.made = []; window.isHidden = false;
	Object.defineProperty(document, "hidden", {get: () => window.isHidden});
	const ask = Notification.requestPermission.bind(Notification);
	Notification.requestPermission = (...args) => { window.asked++; return ask(...args); };
	window.Notification = new Proxy(Notification, {construct: (of, args) => {
		const made = Reflect.construct(of, args);
		if (args[0]) window.made.push({title: args[0], body: args[1].body, made}); // without a title it is a try
		return made;
	}});
`

// allow sets what the browser answers when a page of the site asks for notifications.
func (b tab) allow(site string, setting permissions.PermissionSetting) {
	b.t.Helper()
	var info target.GetTargetInfoResult
	must(b.t, chromedp.Do(b.ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) (err error) {
		info, err = cdp.Call(ctx, t, target.GetTargetInfo, target.GetTargetInfoParams{})
		return err
	})))
	must(b.t, chromedp.Do(b.ctx, send(permissions.SetPermission, permissions.SetPermissionParams{
		Permission: &permissions.PermissionDescriptor{Name: "notifications"}, Setting: setting, Origin: site,
		BrowserContextID: info.TargetInfo.BrowserContextID,
	})))
}

// line serves the stream of the waiting page, which ends when result closes; the result is the payment page.
func (s *site) line(result <-chan struct{}) {
	s.mux.HandleFunc("GET /tickets/{ticket}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/ko/payment", http.StatusSeeOther)
	})
	s.mux.HandleFunc("GET /line/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		select {
		case <-result:
			sendEvent(w, "done", []byte("done"))
		case <-r.Context().Done():
		}
		<-r.Context().Done()
	})
	s.route("/tickets/T.s/events", "/line/events")
}

// phoneNotifications are those of a phone's browser, which has no constructor for them.
const phoneNotifications = `
	window.Notification = new Proxy(Notification, {construct: () => { throw new TypeError("Illegal constructor"); }});
`

// Where a page cannot make a notification it does not offer one, and a result leads on as everywhere.
func TestNotification_IsNotOfferedWhereItCannotBeMade(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]permissions.PermissionSetting{
		"asks": permissions.PermissionSettingPrompt, "allowed before": permissions.PermissionSettingGranted,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			b := newWholeTab(t)
			result := make(chan struct{})
			s.line(result)
			must(t, chromedp.Do(b.ctx, send(page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: watchNotifications + phoneNotifications})))
			b.allow(s.URL, setting)
			b.open(s.URL + "/ko/waiting")
			b.until(`document.readyState === "complete" && window.htmx !== undefined`)
			if setting == permissions.PermissionSettingPrompt {
				b.until(`document.querySelector("[data-notify]").hidden`)
			}
			b.run(`window.isHidden = true`)
			close(result)
			b.until(`location.pathname === "/ko/payment"`)
		})
	}
}

// The page never asks by itself; its button does, and goes when there is an answer.
func TestNotification_OnlyTheButtonAsks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newWholeTab(t)
	must(t, chromedp.Do(b.ctx, send(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: watchNotifications})))
	b.allow(s.URL, permissions.PermissionSettingPrompt)
	b.open(s.URL + "/ko/waiting")
	b.until(`!document.querySelector("[data-notify]").hidden && asked === 0 && made.length === 0`)
	b.allow(s.URL, permissions.PermissionSettingGranted)
	b.until(`asked === 0`)
	b.click("[data-notify-ask]")
	b.until(`asked === 1 && document.querySelector("[data-notify-ask]").hidden`)
	b.until(`document.querySelector("[data-notify-state]").textContent.includes("알림을 보내")`)
	none(t, "content security policy", s.violated())
}

// Who does not look is notified, and the page stays until they do.
func TestNotification_IsMadeWhileNobodyLooks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newWholeTab(t)
	result := make(chan struct{})
	s.line(result)
	must(t, chromedp.Do(b.ctx, send(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: watchNotifications})))
	b.allow(s.URL, permissions.PermissionSettingGranted)
	b.open(s.URL + "/ko/waiting")
	b.until(`document.querySelector("[data-notify-state]").textContent !== ""`)
	b.run(`window.isHidden = true`)
	close(result)
	b.until(`made.length === 1 && made[0].title.includes("결과가 나왔습니다")`)
	b.until(`location.pathname === "/ko/waiting" && asked === 0`)
	b.run(`made[0].made.dispatchEvent(new Event("click"))`)
	b.until(`location.pathname === "/ko/payment"`)
}

// Who looks is led on at once, without a notification; and so is who does not allow them.
func TestNotification_IsNotMadeForWhoLooks(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]permissions.PermissionSetting{
		"false": permissions.PermissionSettingGranted, "true": permissions.PermissionSettingDenied,
	} {
		t.Run("hidden "+name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			b := newWholeTab(t)
			result := make(chan struct{})
			s.line(result)
			must(t, chromedp.Do(b.ctx, send(page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: watchNotifications})))
			b.allow(s.URL, setting)
			b.open(s.URL + "/ko/waiting")
			b.run(`window.isHidden = ` + name +
				`; window.addEventListener("pagehide", () => sessionStorage.made = made.length)`)
			close(result)
			b.until(`location.pathname === "/ko/payment" && (sessionStorage.made ?? String(made.length)) === "0"`)
		})
	}
}
