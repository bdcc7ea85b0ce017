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
	Errors      FieldErrors
}

// SignIn is the form that signs in. Component: pages.SignIn(views.SignIn).
type SignIn struct {
	Layout
	Email  string
	Next   string // a path of this site
	Demo   []DemoAccount
	Errors FieldErrors
}

// DemoAccount is an account that anybody may try on a demonstration installation.
type DemoAccount struct {
	Name     string // who it is: a diner, staff of a restaurant
	Email    string
	Password string
}
