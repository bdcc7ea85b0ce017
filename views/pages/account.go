package pages

import (
	"strconv"

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
	return []components.Field{
		{
			Name: views.FieldName, Label: s.T("field.name"), Value: s.Name, Error: s.Errors[views.FieldName],
			Attributes: templ.Attributes{"autocomplete": "name", "required": true},
		},
		{
			Name: views.FieldEmail, Label: s.T("field.email"), Value: s.Email, Error: s.Errors[views.FieldEmail],
			Attributes: templ.Attributes{"type": "email", "autocomplete": "username", "required": true},
		},
		{
			Name: views.FieldPhone, Label: s.T("field.phone"), Hint: s.T("field.phone_hint"), Value: s.Phone,
			Error:      s.Errors[views.FieldPhone],
			Attributes: templ.Attributes{"type": "tel", "autocomplete": "tel", "required": true},
		},
		{
			Name: views.FieldPassword, Label: s.T("field.password"), Error: s.Errors[views.FieldPassword],
			Hint: s.T("field.password_hint", "Count", s.MinPassword),
			Attributes: templ.Attributes{
				"type": "password", "autocomplete": "new-password", "required": true,
				"minlength": strconv.Itoa(s.MinPassword),
			},
		},
	}
}
