package views_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	permissions "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"lunchgo/static"
	"lunchgo/views"
)

// fakePush has the waiting page offer pushes of key "BKey", and gives its browser a push service: none that tests start
// reaches a real one. The subscription outlives the page.
const fakePush = `
	document.addEventListener("DOMContentLoaded", () => {
		const box = document.querySelector("[data-notify]");
		if (box) Object.assign(box.dataset, {pushed: "pushed", push: "/account/push", pushKey: "BKey", session: "S", tag: "slot", worker: "/sw.js"});
	});
	const subscription = (key) => ({
		options: {applicationServerKey: Uint8Array.from(atob(key), (c) => c.charCodeAt(0)).buffer},
		unsubscribe: async () => localStorage.removeItem("subscribed"),
		toJSON: () => ({endpoint: "https://push.example/" + key, keys: {p256dh: "P", auth: "A"}}),
	});
	PushManager.prototype.getSubscription = async () => localStorage.subscribed ? subscription(localStorage.subscribed) : null;
	PushManager.prototype.subscribe = async (options) => {
		window.refused = !options.userVisibleOnly || localStorage.refuses;
		if (refused) throw new Error("no");
		return subscription(localStorage.subscribed = options.applicationServerKey);
	};
`

// watchWorker stands before the worker and tells the site what it does. A message opens the newest notification, or
// presses the button that it names.
const watchWorker = `
	const tell = (what) => fetch("/worker", {method: "POST", body: what});
	const matchAll = Clients.prototype.matchAll;
	Clients.prototype.matchAll = async function (options) {
		const found = await matchAll.call(this, options);
		await tell("seen " + found.some((client) => client.visibilityState === "visible"));
		return found;
	};
	const showNotification = ServiceWorkerRegistration.prototype.showNotification;
	ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
		await showNotification.call(this, title, options);
		await tell("shown " + title + (options.silent ? " silently" : ""));
	};
	Clients.prototype.openWindow = (url) => tell("opened " + url);
	addEventListener("message", async ({ data }) => {
		const notification = (await registration.getNotifications()).pop();
		const action = notification.actions.find(({ title }) => title === data)?.action;
		dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
	});
`

// pushing is the waiting page in a browser that can be pushed to.
type pushing struct {
	tab
	site   *site
	posts  <-chan string // forms that the site gets of the page
	worker <-chan string // what the worker does
}

func newPushing(t *testing.T, setting permissions.PermissionSetting, script string) pushing {
	t.Helper()
	worker, err := static.FS.ReadFile("js/sw.js")
	must(t, err)
	s := newSite(t)
	s.route("/sw.js", "/watched-sw.js")
	s.mux.HandleFunc("GET /watched-sw.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(append([]byte(watchWorker), worker...))
	})
	posts, does := make(chan string, 9), make(chan string, 9)
	for path, to := range map[string]chan<- string{"POST /account/push": posts, "POST /worker": does,
		"POST " + views.StaffPushURL(1): posts} {
		s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			to <- string(body)
			w.WriteHeader(http.StatusNoContent)
		})
	}
	b := newWholeTab(t)
	must(t, chromedp.Do(b.ctx, send(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: watchNotifications + fakePush + script})))
	b.allow(s.URL, setting)
	return pushing{b, s, posts, does}
}

const subscribed = "endpoint=https%3A%2F%2Fpush.example%2FBKey&p256dh=P&auth=A&key=BKey"

// deliver has the push service push to the worker of the site.
func (p pushing) deliver(id serviceworker.RegistrationID, title string) {
	p.t.Helper()
	data, err := json.Marshal(map[string]any{"title": title, "body": "Pay by 12:05", "url": "/ko/payment", "tag": "slot",
		"answer": views.Answer{Label: "Yes", URL: "/coming/T"}})
	must(p.t, err)
	must(p.t, chromedp.Do(p.ctx, send(serviceworker.DeliverPushMessage,
		serviceworker.DeliverPushMessageParams{Origin: p.site.URL, RegistrationID: id, Data: string(data)})))
}

// registration finds the worker of the site.
func (p pushing) registration() serviceworker.RegistrationID {
	p.t.Helper()
	updates := chromedp.Events(p.ctx, serviceworker.WorkerRegistrationUpdated)
	must(p.t, chromedp.Do(p.ctx, send(serviceworker.Enable, cdp.Empty{})))
	for update, err := range updates {
		must(p.t, err)
		for _, r := range update.Registrations {
			if r.ScopeURL == p.site.URL+"/" {
				return r.RegistrationID
			}
		}
	}
	p.t.Fatal("there is no worker")
	return ""
}

// shows checks that the worker of the page has one notification, with that title. While one is being made nobody may
// ask: the browser would forget it.
func (p pushing) shows(title string) {
	p.t.Helper()
	shown := evaluate[string](p.ctx, p.t, `navigator.serviceWorker.ready.then((r) => r.getNotifications())
		.then((all) => all.map((n) => n.title).join())`)
	if shown != title {
		p.t.Errorf("notifications: %q, want %q", shown, title)
	}
}

// A press subscribes the browser, a phone's too. A push shows a notification, without a sound to who looks.
func TestPush_ReachesWhoIsAway(t *testing.T) {
	t.Parallel()
	p := newPushing(t, permissions.PermissionSettingPrompt, phoneNotifications)
	p.open(p.site.URL + "/ko/waiting")
	p.until(`!document.querySelector("[data-notify]").hidden && asked === 0`)
	p.allow(p.site.URL, permissions.PermissionSettingGranted)
	p.click("[data-notify-ask]")
	p.receives(p.posts, subscribed)
	p.until(`document.querySelector("[data-notify-state]").textContent === "pushed"`)
	id := p.registration()
	p.deliver(id, "looks")
	p.receives(p.worker, "seen true")
	p.receives(p.worker, "shown looks silently")
	p.open("about:blank")
	p.deliver(id, "away")
	p.receives(p.worker, "seen false")
	p.receives(p.worker, "shown away")
	p.open(p.site.URL + "/ko/waiting") // is subscribed, and posts nothing again
	p.until(`document.querySelector("[data-notify-state]").textContent === "pushed"`)
	p.shows("away")
	p.run(`navigator.serviceWorker.ready.then((r) => r.active.postMessage(""))`)
	p.receives(p.worker, "opened /ko/payment")
	p.deliver(id, "asks")
	p.receives(p.worker, "seen true")
	p.receives(p.worker, "shown asks silently")
	p.run(`navigator.serviceWorker.ready.then((r) => r.active.postMessage("Yes"))`)
	p.receives(p.worker, "opened /coming/T")
	none(t, "content security policy", p.site.violated())
	if len(p.posts) > 0 {
		t.Errorf("the page posts again: %s", <-p.posts)
	}
}

// A subscription made with another key of the site gives way to one with its key of now.
func TestPush_SubscribesAnewForAnotherKey(t *testing.T) {
	t.Parallel()
	p := newPushing(t, permissions.PermissionSettingGranted, `localStorage.subscribed ??= "BOld";`)
	p.open(p.site.URL + "/ko/waiting")
	p.receives(p.posts, subscribed)
	p.until(`localStorage.subscribed === "BKey"`)
}

// A phone that the push service refuses is promised nothing.
func TestPush_IsNotOfferedWhereItIsRefused(t *testing.T) {
	t.Parallel()
	const script = phoneNotifications + `localStorage.refuses = "yes";`
	t.Run("asked", func(t *testing.T) {
		t.Parallel()
		p := newPushing(t, permissions.PermissionSettingPrompt, script)
		p.open(p.site.URL + "/ko/waiting")
		p.until(`!document.querySelector("[data-notify]").hidden`)
		p.allow(p.site.URL, permissions.PermissionSettingGranted)
		p.click("[data-notify-ask]")
		p.until(`document.querySelector("[data-notify]").hidden`)
	})
	t.Run("allowed before", func(t *testing.T) {
		t.Parallel()
		p := newPushing(t, permissions.PermissionSettingGranted, script)
		p.open(p.site.URL + "/ko/waiting")
		p.until(`window.refused && document.querySelector("[data-notify]").hidden`)
	})
}

// The page of a waitlist offers pushes, and where there are none nothing: it notifies of no offer by itself.
func TestPush_OfTheWaitlist(t *testing.T) {
	t.Parallel()
	p := newPushing(t, permissions.PermissionSettingGranted, "")
	p.open(p.site.URL + "/ko/waitlist-waiting-runs")
	p.receives(p.posts, subscribed)
	p.until(`document.querySelector("[data-notify-state]").textContent === "pushed"`)
	p.run(`localStorage.refuses = "yes"; localStorage.removeItem("subscribed")`)
	p.open(p.site.URL + "/ko/waitlist-waiting-runs")
	p.until(`window.refused && document.querySelector("[data-notify]").hidden`)
}

// A switch of the staff's board has new bookings pushed to the phone, and no more; nothing is asked or sent before it
// is pressed. A press that fails says so, and the switch stays as it was.
func TestPush_OfNewBookings(t *testing.T) {
	t.Parallel()
	p := newPushing(t, permissions.PermissionSettingGranted, "")
	const pressed = `document.querySelector("[data-push-switch]").getAttribute("aria-pressed") === `
	press := func() { p.run(`document.querySelector("[data-push-switch]").click()`) }
	said := func(what string) string {
		return `document.querySelector("[data-push-switch]").nextElementSibling.textContent.includes("` + what + `")`
	}
	p.open(p.site.URL + "/ko/staff-evening-guests")
	p.until(`document.querySelector("[data-push-switch]").closest("[hidden]") === null && ` + pressed + `"false"`)
	if len(p.posts) > 0 {
		t.Errorf("the page posts by itself: %s", <-p.posts)
	}
	press()
	p.receives(p.posts, subscribed)
	p.until(pressed + `"true"`)
	press()
	p.receives(p.posts, "")
	p.until(pressed + `"false"`)
	p.run(`localStorage.refuses = "yes"; localStorage.removeItem("subscribed")`)
	press()
	p.until(said("다시 눌러") + ` && ` + pressed + `"false"`)
	p.allow(p.site.URL, permissions.PermissionSettingDenied)
	press()
	p.until(said("브라우저 설정") + ` && ` + pressed + `"false"`)
	none(t, "content security policy", p.site.violated())
}

// A hidden page of a phone notifies by its worker; a push says it better.
func TestPush_TakesThePlaceOfWhatAHiddenPageSays(t *testing.T) {
	t.Parallel()
	p := newPushing(t, permissions.PermissionSettingGranted, phoneNotifications+`
		window.shown = 0;
		const showNotification = ServiceWorkerRegistration.prototype.showNotification;
		ServiceWorkerRegistration.prototype.showNotification = function (...args) {
			return showNotification.apply(this, args).then(() => window.shown++);
		};
	`)
	result := make(chan struct{})
	p.site.line(result)
	p.open(p.site.URL + "/ko/waiting")
	p.until(`document.querySelector("[data-notify-state]").textContent === "pushed"`)
	id := p.registration()
	p.run(`window.isHidden = true`)
	close(result)
	p.until(`shown === 1`)
	p.shows("기다리던 결과가 나왔습니다")
	p.open("about:blank")
	p.deliver(id, "away")
	p.receives(p.worker, "seen false")
	p.receives(p.worker, "shown away")
	p.open(p.site.URL + "/ko/payment")
	p.shows("away")
}
