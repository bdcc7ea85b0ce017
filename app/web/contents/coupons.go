package contents

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/contents"
	"lunchgo/views/i18n"
)

// coupons answers GET …/setup/coupons.
func (p *Pages) coupons(c *fiber.Ctx, w workplace.Workplace) error {
	return p.showCoupons(c, w, views.ContentsForm{Values: map[string]string{}}, fiber.StatusOK)
}

func (p *Pages) showCoupons(c *fiber.Ctx, w workplace.Workplace, form views.ContentsForm, status int) error {
	campaigns, err := p.Contents.ListCampaigns(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	page := views.ContentsCoupons{StaffShell: p.Places.Shell(c, w, views.SectionSetup), ContentsForm: form,
		MayChange: w.By.May(team.ChangeSettings)}
	page.Path = views.ContentsCouponsURL(w.Restaurant.ID)
	when := func(t time.Time) string { return i18n.DateTime(page.Lang, t.In(w.Restaurant.Location)) }
	for _, known := range campaigns {
		state := known.StateAt(p.Contents.Now())
		page.Campaigns = append(page.Campaigns, views.ContentsCampaign{ID: known.ID, Name: known.Name.In(page.Lang),
			What:  page.T("contents.off_"+string(known.Use), "Amount", i18n.Won(page.Lang, known.Amount)),
			When:  when(known.OpensAt) + " – " + when(known.ClosesAt),
			State: page.T("contents.campaign_" + string(state)), Issued: known.Issued, Total: known.Total,
			IsOver: state == coupon.Over})
	}
	return respond.Render(c, status, pages.Coupons(page))
}

// addCoupon answers POST …/setup/coupons.
func (p *Pages) addCoupon(c *fiber.Ctx, w workplace.Workplace) error {
	form := views.ContentsForm{Values: map[string]string{}, Errors: views.FieldErrors{}}
	for _, name := range []string{views.FieldNameKo, views.FieldNameEn, views.FieldUse, views.FieldAmount,
		views.FieldTotal, views.FieldOpens, views.FieldCloses, views.FieldValid} {
		form.Values[name] = respond.FormValue(c, name)
	}
	lang := respond.Lang(c)
	campaign := campaignOf(lang, form, w.Restaurant)
	status := fiber.StatusUnprocessableEntity
	if len(form.Errors) == 0 {
		_, err := p.Contents.AddCampaign(c.UserContext(), w.By, campaign)
		if err == nil {
			return respond.RedirectSaying(c, views.ContentsCouponsURL(w.Restaurant.ID), views.FlashSuccess,
				"flash.coupon_opened")
		}
		if form.Errors, status = faultsOf(lang, err, couponField); form.Errors == nil {
			return err
		}
	}
	return p.showCoupons(c, w, form, status)
}

// minutes is how browsers write a date and time.
const minutes = "2006-01-02T15:04"

func campaignOf(lang string, form views.ContentsForm, r booking.Restaurant) coupon.Campaign {
	v := form.Values
	fault := func(name, reason string) {
		form.Errors[name] = respond.FieldSentence(lang, respond.Field{Reason: reason})
	}
	read := func(name string) int {
		n, err := number(v[name], 0)
		if err != nil {
			fault(name, "invalid_number")
		}
		return n
	}
	at := func(name string) time.Time {
		t, err := time.ParseInLocation(minutes, strings.TrimSpace(v[name]), r.Location)
		if err != nil {
			fault(name, "invalid_moment")
		}
		return t
	}
	return coupon.Campaign{RestaurantID: r.ID, Name: booking.Text{Ko: v[views.FieldNameKo], En: v[views.FieldNameEn]},
		Use: coupon.Use(v[views.FieldUse]), Amount: int64(read(views.FieldAmount)), Total: read(views.FieldTotal),
		OpensAt: at(views.FieldOpens), ClosesAt: at(views.FieldCloses), ValidUntil: at(views.FieldValid)}
}

// couponField is the field of the form for one of a campaign.
func couponField(name string) string {
	fields := map[string]string{"name.ko": views.FieldNameKo, "name.en": views.FieldNameEn, "use": views.FieldUse,
		"amount": views.FieldAmount, "total": views.FieldTotal, "opensAt": views.FieldOpens,
		"closesAt": views.FieldCloses, "validUntil": views.FieldValid}
	if field, ok := fields[name]; ok {
		return field
	}
	return views.FieldForm
}

// endCoupon answers POST …/setup/coupons/{coupon}/end.
func (p *Pages) endCoupon(c *fiber.Ctx, w workplace.Workplace) error {
	id, err := respond.NumberParam(c, "coupon")
	if err != nil {
		return err
	}
	_, err = p.Contents.EndCampaign(c.UserContext(), w.By, w.Restaurant.ID, id)
	return respond.Done(c, err, views.ContentsCouponsURL(w.Restaurant.ID), views.FlashSuccess, "flash.coupon_ended")
}
