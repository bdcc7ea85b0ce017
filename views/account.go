package views

// SignUp is the form that makes an account. The password is never rendered back.
// Component: pages.SignUp(views.SignUp).
type SignUp struct {
	Layout
	Email       string
	Name        string
	Phone       string
	Next        string // a path of this site
	MinPassword int    // characters
	Consent     Consent
	Providers   []SignInProvider
	Errors      FieldErrors
}

// SignIn is the form that signs in. Component: pages.SignIn(views.SignIn).
type SignIn struct {
	Layout
	Email     string
	Next      string // a path of this site
	Demo      []DemoAccount
	Providers []SignInProvider
	Passkeys  bool // sign in
	Errors    FieldErrors
}

// SignInProvider is where people have an account by which they can sign in here.
type SignInProvider struct {
	Name  string // in addresses
	Label string // of the button
}

// DemoAccount is an account that anybody may try on a demonstration installation.
type DemoAccount struct {
	Name     string // who it is: a diner, staff of a restaurant
	Email    string
	Password string
}

// LinkSent says that a letter with a link is on its way, alike whether there is an account. After a sign-up it also has
// the form to sign in. Component: pages.LinkSent(views.LinkSent).
type LinkSent struct {
	Layout
	Email   string
	Next    string // a path of this site
	SignUp  bool   // else the link was asked for to sign in
	Mailbox bool   // letters are shown, not sent
	None    bool   // letters are neither sent nor shown: there is the form to sign in only
}

// LinkOver is the kind of a link that is used, too old, or was never sent.
const LinkOver = "over"

// Link asks whether to do what a link by mail does: programs that look for viruses open links too. Component:
// pages.Link(views.Link).
type Link struct {
	Layout
	Kind  string // an identity.LinkKind, or LinkOver
	Email string // the address that the link was sent to
	Token string
}

// Email changes the reader's address. Component: pages.Email(views.Email).
type Email struct {
	Layout
	Current     string
	Confirmed   bool
	AskPassword bool
	New         string
	Errors      FieldErrors
}
