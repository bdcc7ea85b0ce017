package web_test

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"lunchgo/app/identity"
)

// browser is one without JavaScript: it gets pages, follows links and sends forms.
type browser struct {
	*harness
	client   *http.Client
	language string
	user     identity.User
}

// page is an answer with its document.
type page struct {
	t      *testing.T
	url    *url.URL
	status int
	header http.Header
	body   string
	doc    *html.Node
}

func (b *browser) setCookie(name, value string) {
	u, err := url.Parse(b.URL)
	b.must(err)
	b.client.Jar.SetCookies(u, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// get asks for an address without following redirects.
func (b *browser) get(path string, headers ...string) page {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, headers...)
}

// post sends a form to an address as the site's own pages do.
func (b *browser) post(path string, form url.Values, headers ...string) page {
	b.t.Helper()
	return b.do(http.MethodPost, path, form, headers...)
}

func (b *browser) do(method, path string, form url.Values, headers ...string) page {
	b.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = b.URL + path
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, path, strings.NewReader(form.Encode()))
	b.must(err)
	r.Header.Set("Accept-Language", b.language)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Host = r.Header.Get("Host")
	answer, err := b.client.Do(r)
	b.must(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	b.must(err)
	doc, err := html.Parse(strings.NewReader(string(body)))
	b.must(err)
	return page{t: b.t, url: answer.Request.URL, status: answer.StatusCode, header: answer.Header, body: string(body),
		doc: doc}
}

// follow goes where an answer sends its reader, until there is a page.
func (b *browser) follow(p page) page {
	b.t.Helper()
	for range 5 {
		if p.status != http.StatusSeeOther {
			return p
		}
		p = b.get(p.location())
	}
	b.t.Fatalf("too many redirects, the last to %s", p.location())
	return p
}

// open asks for an address and follows redirects.
func (b *browser) open(path string) page {
	b.t.Helper()
	return b.follow(b.get(path))
}

// send sends the form that is filled in, and follows the redirects of the answer. Buttons are not part of it unless
// answers name them.
func (b *browser) send(p page, action string, answers ...string) page {
	b.t.Helper()
	return b.follow(b.post(action, p.filled(action, answers...)))
}

// filled is the form with that action as it stands on the page, changed by answers.
func (p page) filled(action string, answers ...string) url.Values {
	p.t.Helper()
	form := p.form(action)
	for i := 0; i+1 < len(answers); i += 2 {
		form.Set(answers[i], answers[i+1])
	}
	return form
}

func (p page) location() string {
	p.t.Helper()
	to, err := p.url.Parse(p.header.Get("Location"))
	if err != nil {
		p.t.Fatal(err)
	}
	return to.String()
}

// must fails the test unless the page has that status and holds those texts.
func (p page) must(status int, texts ...string) page {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("%s answers %d, want %d:\n%s", p.url, p.status, status, p.text())
	}
	for _, text := range texts {
		if !strings.Contains(p.text(), text) {
			p.t.Fatalf("%s does not say %q:\n%s", p.url, text, p.text())
		}
	}
	return p
}

// text is what a reader sees, roughly.
func (p page) text() string {
	var words []string
	walk(p.doc, func(n *html.Node) {
		if n.Type == html.TextNode && n.Parent.Data != "script" {
			words = append(words, strings.Fields(n.Data)...)
		}
	})
	return strings.Join(words, " ")
}

// form collects the answers that the form with an action holds.
func (p page) form(action string) url.Values {
	p.t.Helper()
	var found *html.Node
	walk(p.doc, func(n *html.Node) {
		if found == nil && n.Data == "form" && attr(n, "action") == action {
			found = n
		}
	})
	if found == nil {
		p.t.Fatalf("%s has no form for %s", p.url, action)
	}
	values := url.Values{}
	walk(found, func(n *html.Node) {
		kind := attr(n, "type")
		switch {
		case n.Data == "textarea" && n.FirstChild != nil:
			values.Set(attr(n, "name"), n.FirstChild.Data)
		case n.Data != "input" || (kind == "radio" || kind == "checkbox") && !has(n, "checked"):
		default:
			values.Set(attr(n, "name"), attr(n, "value"))
		}
	})
	return values
}

// links are the addresses that the page leads to and that begin so.
func (p page) links(prefix string) []string {
	var links []string
	walk(p.doc, func(n *html.Node) {
		if href := attr(n, "href"); n.Data == "a" && strings.HasPrefix(href, prefix) {
			links = append(links, href)
		}
	})
	return links
}

func walk(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for child := range n.ChildNodes() {
		walk(child, visit)
	}
}

// element is that of a page that has an attribute.
func (p page) element(attribute string) (found *html.Node) {
	p.t.Helper()
	walk(p.doc, func(n *html.Node) {
		if has(n, attribute) {
			found = n
		}
	})
	if found == nil {
		p.t.Fatalf("%s has no %s", p.url, attribute)
	}
	return found
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
