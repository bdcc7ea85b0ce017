package pages

import (
	"cmp"
	"strconv"

	"github.com/a-h/templ"

	"lunchgo/app/identity"
	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// accountRowOf is a thing that a person can change on a page of its own.
type accountRowOf struct {
	title, value, note string
	url, label         string
}

func profileFields(a views.Account) []components.Field {
	return []components.Field{
		{
			Name: views.FieldName, Label: a.T("field.name"), Value: a.Name, Error: a.Errors[views.FieldName],
			Attributes: templ.Attributes{"autocomplete": "name", "required": true},
		},
		{
			Name: views.FieldPhone, Label: a.T("field.phone"), Hint: a.T("field.phone_hint"), Value: a.Phone,
			Error:      a.Errors[views.FieldPhone],
			Attributes: templ.Attributes{"type": "tel", "autocomplete": "tel", "required": true},
		},
		{
			Name: views.FieldAllergies, Label: a.T("field.allergies"), Hint: a.T("account.allergies_hint"),
			Value: a.Allergies, Error: a.Errors[views.FieldAllergies],
			Attributes: templ.Attributes{"type": "text", "autocomplete": "off",
				"maxlength": strconv.Itoa(a.MaxAllergies)},
		},
	}
}

// textsChoice asks whether what cannot wait goes to the phone as well.
func textsChoice(a views.Account) components.Choices {
	value := views.ConsentNo
	if a.Texts {
		value = views.ConsentYes
	}
	return components.Choices{
		Field: components.Field{Name: views.FieldTexts, Label: a.T("account.texts"), Hint: a.T("account.texts_hint"),
			Value: value},
		Options: []views.Choice{
			{Value: views.ConsentYes, Label: a.T("account.texts_yes")},
			{Value: views.ConsentNo, Label: a.T("account.texts_no")},
		},
	}
}

func languageChoice(a views.Account) components.Choices {
	choices := components.Choices{
		Field: components.Field{Name: views.FieldLanguage, Label: a.T("account.language"), Value: a.Language},
	}
	for _, lang := range i18n.Languages {
		choices.Options = append(choices.Options, views.Choice{Value: lang, Label: i18n.T(lang, "account.own_language")})
	}
	return choices
}

func emailState(a views.Account) string {
	if a.EmailConfirmed {
		return a.T("account.email_confirmed")
	}
	return a.T("account.email_unconfirmed")
}

func currentPassword(f views.Layout, errors views.FieldErrors) components.Field {
	return components.Field{
		Name: views.FieldPassword, Label: f.T("account.password_now"), Error: errors[views.FieldPassword],
		Attributes: templ.Attributes{"type": "password", "autocomplete": "current-password", "required": true},
	}
}

func newPassword(a views.AccountPassword) components.Field {
	return components.Field{
		Name: views.FieldNewPassword, Label: a.T("account.password_new"), Error: a.Errors[views.FieldNewPassword],
		Hint: a.T("field.password_hint", "Count", a.MinPassword),
		Attributes: templ.Attributes{"type": "password", "autocomplete": "new-password", "required": true,
			"minlength": strconv.Itoa(a.MinPassword)},
	}
}

// passkeyName is what its owner calls a passkey.
func passkeyName(f views.Layout, k identity.Passkey) string {
	return cmp.Or(k.Name, f.T("account.device_unknown"))
}

func passkeyNameField(f views.Layout, p views.Passkeys) components.Field {
	return components.Field{Name: views.FieldName, Label: f.T("passkey.name"), Hint: f.T("passkey.name_hint"),
		Value: p.Device, Attributes: templ.Attributes{"autocomplete": "off", "maxlength": strconv.Itoa(identity.MaxName)}}
}

func deviceName(f views.Layout, s identity.SessionRecord) string {
	if s.Device == "" {
		return f.T("account.device_unknown")
	}
	return s.Device
}
