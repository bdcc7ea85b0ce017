package operator

import (
	"errors"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// restaurants answers GET /operator/restaurants: a page of all restaurants, or of those whose names contain some words.
func (p *Pages) restaurants(c *fiber.Ctx, by reserve.Operator) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	times := clockOf(c)
	page := views.OperatorRestaurants{Layout: p.Layout(c), Zone: times.name(),
		Words: strings.Clone(c.Query(views.FieldWords))}
	found, err := p.Drafts.ListRestaurants(c.UserContext(), by, page.Words, asked)
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		page.Errors = fieldErrors(page.Lang, views.FieldWords, invalid)
		return respond.Render(c, fiber.StatusUnprocessableEntity, pages.OperatorRestaurants(page))
	}
	if err != nil {
		return err
	}
	for _, r := range found.Items {
		page.Restaurants = append(page.Restaurants, restaurantOf(page.Lang, r, times.zone(r.TimeZone)))
	}
	page.Pager = respond.Pager(c, views.OperatorRestaurantsURL(), views.FieldAfter, found.Next)
	return respond.Render(c, fiber.StatusOK, pages.OperatorRestaurants(page))
}

// restaurantOf is a restaurant of the list, with times of a zone.
func restaurantOf(lang string, r reserve.KnownRestaurant, zone *time.Location) views.OperatorRestaurant {
	of := views.OperatorRestaurant{ID: r.ID, Name: r.Name.In(lang), TimeZone: r.TimeZone, Capacity: r.Capacity,
		OwnerName: r.OwnerName, OwnerEmail: r.OwnerEmail, Reason: r.UnpublishReason, PublishedBy: r.PublishedBy,
		Opened: i18n.DateTime(lang, r.OpenedAt.In(zone))}
	if !r.PublishedAt.IsZero() {
		of.Published = i18n.DateTime(lang, r.PublishedAt.In(zone))
	}
	switch {
	case r.State == booking.RestaurantDraft:
		of.State, of.URL = views.StateDraft, views.OperatorReviewURL(r.ID)
	case !r.UnpublishedAt.IsZero():
		of.State, of.Unpublished = views.StateUnpublished, i18n.DateTime(lang, r.UnpublishedAt.In(zone))
	case r.Stopped:
		of.State, of.URL = views.StateStopped, views.RestaurantURL(r.Slug)
	default:
		of.State, of.URL = views.StatePublished, views.RestaurantURL(r.Slug)
	}
	return of
}

// unpublishForm answers GET /operator/restaurants/:restaurant/unpublish.
func (p *Pages) unpublishForm(c *fiber.Ctx, _ reserve.Operator) error {
	return p.showUnpublish(c, "", nil)
}

func (p *Pages) showUnpublish(c *fiber.Ctx, reason string, refused *booking.InvalidError) error {
	id, err := respond.NumberParam(c, "restaurant")
	if err != nil {
		return err
	}
	r, err := p.Restaurants.FindAtWork(c.UserContext(), id)
	if err == nil && r.Draft {
		err = booking.ErrNotFound
	}
	if err != nil {
		return err
	}
	page := views.OperatorUnpublish{Layout: p.Layout(c), ID: id, Reason: reason, Most: booking.MaxReasonRunes}
	page.Path, page.Name = views.OperatorUnpublishURL(id), r.Name.In(page.Lang)
	status := fiber.StatusOK
	if refused != nil {
		status, page.Errors = fiber.StatusUnprocessableEntity, fieldErrors(page.Lang, views.FieldReason, refused)
	}
	return respond.Render(c, status, pages.OperatorUnpublish(page))
}

// unpublish answers POST /operator/restaurants/:restaurant/unpublish.
func (p *Pages) unpublish(c *fiber.Ctx, by reserve.Operator) error {
	id, err := respond.NumberParam(c, "restaurant")
	if err != nil {
		return err
	}
	reason := respond.FormValue(c, views.FieldReason)
	err = p.Drafts.Unpublish(c.UserContext(), by, id, reason)
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		return p.showUnpublish(c, reason, invalid)
	}
	return respond.Done(c, err, views.OperatorRestaurantsURL(), views.FlashSuccess, "flash.unpublished")
}

// fieldErrors says what is wrong with the only field of a form.
func fieldErrors(lang, name string, invalid *booking.InvalidError) views.FieldErrors {
	errs := views.FieldErrors{}
	for _, f := range invalid.Fields {
		errs[name] = respond.FieldSentence(lang, respond.Field{Reason: f.Reason, Min: f.Min, Max: f.Max})
	}
	return errs
}
