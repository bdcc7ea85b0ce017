package pages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/components"
)

func signInFields(s views.SignIn) []components.Field {
	return []components.Field{
		{
			Name: views.FieldEmail, Label: s.T("field.email"), Value: s.Email, Error: s.Errors[views.FieldEmail],
			Attributes: templ.Attributes{"type": "email", "autocomplete": "username", "required": true},
		},
		{
			Name: views.FieldPassword, Label: s.T("field.password"), Error: s.Errors[views.FieldPassword],
			Attributes: templ.Attributes{"type": "password", "autocomplete": "current-password", "required": true},
		},
	}
}

func signUpFields(s views.SignUp) []components.Field {
	return append(personFields(s.Layout, s.Errors, person{s.Name, s.Email, s.Phone}, "username"), components.Field{
		Name: views.FieldPassword, Label: s.T("field.password"), Error: s.Errors[views.FieldPassword],
		Hint: s.T("field.password_hint", "Count", s.MinPassword),
		Attributes: templ.Attributes{
			"type": "password", "autocomplete": "new-password", "required": true,
			"minlength": strconv.Itoa(s.MinPassword),
		},
	})
}

// person is who fills in a form, as typed.
type person struct{ name, email, phone string }

// personFields ask who it is. autocomplete is what a browser fills in as the address: "username" beside a password,
// else "email".
func personFields(l views.Layout, errors views.FieldErrors, p person, autocomplete string) []components.Field {
	return []components.Field{
		{
			Name: views.FieldName, Label: l.T("field.name"), Value: p.name, Error: errors[views.FieldName],
			Attributes: templ.Attributes{"autocomplete": "name", "required": true},
		},
		{
			Name: views.FieldEmail, Label: l.T("field.email"), Value: p.email, Error: errors[views.FieldEmail],
			Attributes: templ.Attributes{"type": "email", "autocomplete": autocomplete, "required": true},
		},
		{
			Name: views.FieldPhone, Label: l.T("field.phone"), Hint: l.T("field.phone_hint"), Value: p.phone,
			Error:      errors[views.FieldPhone],
			Attributes: templ.Attributes{"type": "tel", "autocomplete": "tel", "required": true},
		},
	}
}

// signInHeadline says to who is on the way to a table, or saves a restaurant, that signing in goes on with it.
func signInHeadline(s views.SignIn) string {
	if _, _, saves := views.SavesAfterSignIn(s.Next); saves {
		return s.T("signin.to_save")
	}
	path, _, _ := strings.Cut(s.Next, "?")
	if strings.HasPrefix(path, views.RestaurantURL("")) && strings.HasSuffix(path, "/book") {
		return s.T("signin.to_book")
	}
	return s.T("signin.title")
}
