package contents

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/contents"
	"lunchgo/views/i18n"
)

// newItem stands for the id of a dish to come.
const newItem = "new"

// item answers GET …/setup/menu/{item}.
func (p *Pages) item(c *fiber.Ctx, w workplace.Workplace) error {
	menu, at, err := p.findItem(c, w)
	if err != nil {
		return err
	}
	dish := booking.MenuItem{Category: "main"}
	if at < len(menu.Items) {
		dish = menu.Items[at].In(w.Restaurant.SlotMinutes)
	}
	form := views.ContentsItemForm{ContentsForm: views.ContentsForm{Values: valuesOf(dish)}}
	if form.Version, err = setup.Tag(menu); err != nil {
		return err
	}
	return p.showItem(c, w, form, fiber.StatusOK)
}

// valuesOf are the answers of the form for a dish.
func valuesOf(item booking.MenuItem) map[string]string {
	values := map[string]string{views.FieldNameKo: item.Name.Ko, views.FieldNameEn: item.Name.En,
		views.FieldDescriptionKo: item.Description.Ko, views.FieldDescriptionEn: item.Description.En,
		views.FieldCategory: item.Category, views.FieldPicture: item.Picture}
	if item.StayMinutes > 0 {
		values[views.FieldMinutes] = strconv.Itoa(item.StayMinutes)
	}
	if item.ID != 0 {
		values[views.FieldPrice] = strconv.FormatInt(item.Price, 10)
	}
	if !slices.Contains(categories, item.Category) {
		values[views.FieldCategory], values[views.FieldCategoryOwn] = "", item.Category
	}
	if item.DailyQuantity != nil {
		values[views.FieldDaily] = strconv.Itoa(*item.DailyQuantity)
	}
	if item.Served != nil {
		values[views.FieldServedFrom] = string(item.Served.From)
		values[views.FieldServedLast] = string(item.Served.Last)
	}
	if item.Retired {
		values[views.FieldRetired] = "yes"
	}
	return values
}

func (p *Pages) showItem(c *fiber.Ctx, w workplace.Workplace, form views.ContentsItemForm, status int) error {
	form.StaffShell, form.ID = p.Places.Shell(c, w, views.SectionSetup), strings.Clone(c.Params("item"))
	form.Path, form.MaxMinutes = views.ContentsItemURL(w.Restaurant.ID, form.ID), booking.MaxStayMinutes
	for _, category := range categories {
		form.Categories = append(form.Categories,
			views.Choice{Value: category, Label: i18n.T(form.Lang, "category."+category)})
	}
	form.Pictures = []views.Choice{{Value: "", Label: form.T("contents.no_picture")}}
	if now := form.Values[views.FieldPicture]; setup.IsUploaded(now) {
		form.Pictures = append(form.Pictures, views.Choice{Value: now, Label: form.T("contents.picture_uploaded")})
	}
	form.Pictures = append(form.Pictures, drawings(form.Lang, setup.Dishes())...)
	return respond.Render(c, status, pages.Item(form))
}

// saveItem answers POST …/setup/menu/{item}: a form with a file.
func (p *Pages) saveItem(c *fiber.Ctx, w workplace.Workplace) error {
	menu, at, err := p.findItem(c, w)
	if err != nil {
		return err
	}
	sent, err := respond.MultipartForm(c)
	if err != nil {
		return err
	}
	form := views.ContentsItemForm{ContentsForm: formOf(sent)}
	form.Version = form.Values[views.FieldVersion]
	lang := respond.Lang(c)
	dish := itemOf(lang, form.ContentsForm)
	if err = p.takeFile(c, w, sent, form.ContentsForm); err == nil && len(form.Errors) == 0 {
		dish.Picture = form.Values[views.FieldPicture]
		if at < len(menu.Items) {
			dish.ID = menu.Items[at].ID
			menu.Items[at] = dish
		} else {
			menu.Items = append(menu.Items, dish)
		}
		_, err = p.Contents.PutMenu(c.UserContext(), w.By,
			setup.Write{RestaurantID: w.Restaurant.ID, Tag: form.Version}, menu)
	}
	status := fiber.StatusUnprocessableEntity
	if err != nil {
		faults, means := faultsOf(lang, err, itemField)
		if faults == nil {
			return err
		}
		form.Errors, status = faults, means
	}
	if len(form.Errors) > 0 {
		return p.showItem(c, w, form, status)
	}
	return respond.RedirectSaying(c, views.ContentsMenuURL(w.Restaurant.ID), views.FlashSuccess, "flash.menu_saved")
}

// itemOf reads the dish of a form. Numbers that are none are among its errors.
func itemOf(lang string, form views.ContentsForm) booking.MenuItem {
	v := form.Values
	read := func(name string, otherwise int) int {
		n, err := number(v[name], otherwise)
		if err != nil {
			form.Errors[name] = respond.FieldSentence(lang, respond.Field{Reason: "invalid_number"})
		}
		return n
	}
	item := booking.MenuItem{Category: v[views.FieldCategory],
		Name:        booking.Text{Ko: v[views.FieldNameKo], En: v[views.FieldNameEn]},
		Description: booking.Text{Ko: v[views.FieldDescriptionKo], En: v[views.FieldDescriptionEn]},
		Picture:     v[views.FieldPicture], Price: int64(read(views.FieldPrice, -1)),
		StayMinutes: read(views.FieldMinutes, 0), Retired: v[views.FieldRetired] != ""}
	if item.StayMinutes == 0 {
		item.StaySlots = 1
	}
	if own := strings.TrimSpace(v[views.FieldCategoryOwn]); own != "" {
		item.Category = own
	}
	if daily := read(views.FieldDaily, 0); strings.TrimSpace(v[views.FieldDaily]) != "" {
		item.DailyQuantity = &daily
	}
	served := booking.Span{From: booking.TimeOfDay(strings.TrimSpace(v[views.FieldServedFrom])),
		Last: booking.TimeOfDay(strings.TrimSpace(v[views.FieldServedLast]))}
	if served != (booking.Span{}) {
		item.Served = &served
	}
	return item
}

var itemPath = regexp.MustCompile(`^items\[\d+\]\.`)

// itemField is the field of the form for one of the document.
func itemField(name string) string {
	fields := map[string]string{"name.ko": views.FieldNameKo, "name.en": views.FieldNameEn,
		"description.ko": views.FieldDescriptionKo, "description.en": views.FieldDescriptionEn,
		"category": views.FieldCategoryOwn, "price": views.FieldPrice, "stayMinutes": views.FieldMinutes,
		"dailyQuantity": views.FieldDaily, "served.from": views.FieldServedFrom, "served.last": views.FieldServedLast,
		"picture": views.FieldFile}
	if field, ok := fields[itemPath.ReplaceAllString(name, "")]; ok {
		return field
	}
	return views.FieldForm
}
