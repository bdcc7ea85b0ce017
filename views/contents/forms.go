package contents

import (
	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/components"
)

// itemFields are the fields of a dish in the order of the form.
var itemFields = []string{views.FieldForm, views.FieldNameKo, views.FieldNameEn, views.FieldPrice, views.FieldCategory,
	views.FieldCategoryOwn, views.FieldDescriptionKo, views.FieldDescriptionEn, views.FieldDaily, views.FieldServedFrom,
	views.FieldServedLast, views.FieldMinutes, views.FieldPicture, views.FieldFile}

// couponFields are the fields of a campaign in the order of the form.
var couponFields = []string{views.FieldForm, views.FieldNameKo, views.FieldNameEn, views.FieldUse, views.FieldAmount,
	views.FieldTotal, views.FieldOpens, views.FieldCloses, views.FieldValid}

// labels are the keys of the catalogue's labels of fields, where a list says what is wrong with them.
var labels = map[string]string{views.FieldNameKo: "contents.name_ko", views.FieldNameEn: "contents.name_en",
	views.FieldPrice: "contents.price", views.FieldCategory: "contents.category",
	views.FieldCategoryOwn: "contents.category_own", views.FieldDescriptionKo: "contents.description_ko",
	views.FieldDescriptionEn: "contents.description_en", views.FieldDaily: "contents.daily",
	views.FieldServedFrom: "contents.served_from", views.FieldServedLast: "contents.served_last",
	views.FieldMinutes: "contents.minutes", views.FieldUse: "contents.use", views.FieldAmount: "contents.amount",
	views.FieldTotal: "contents.total", views.FieldOpens: "contents.opens", views.FieldCloses: "contents.closes",
	views.FieldValid: "contents.valid"}

// hints are the keys of the catalogue's hints of fields.
var hints = map[string]string{views.FieldCategoryOwn: "contents.category_own_hint",
	views.FieldDaily: "contents.daily_hint", views.FieldServedLast: "contents.served_hint",
	views.FieldMinutes: "contents.minutes_hint", views.FieldFile: "contents.file_hint",
	views.FieldPhoto: "contents.file_hint", views.FieldNameEn: "contents.name_en_hint"}

func itemTitle(f views.ContentsItemForm) string {
	if f.ID == "new" {
		return f.T("contents.add_dish")
	}
	return f.T("contents.change_dish")
}

func fieldOf(l views.Layout, f views.ContentsForm, name, label string, attributes templ.Attributes) components.Field {
	field := components.Field{Name: name, Label: l.T(label), Value: f.Values[name], Error: f.Errors[name],
		Attributes: attributes}
	if key := hints[name]; key != "" {
		field.Hint = l.T(key)
	}
	return field
}
