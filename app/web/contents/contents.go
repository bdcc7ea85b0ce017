// Package contents serves the pages on which staff set up what is in a restaurant: its menu with pictures, its seats,
// its coupons.
package contents

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// Pages answers the requests of staff who set up a restaurant.
type Pages struct {
	Contents *setup.Contents
	Rules    *setup.Service
	Places   workplace.Finder
}

// Mount adds the routes.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	shed := gates.Shed
	const at = "/staff/restaurants/:restaurant/setup"
	r.Get(at+"/menu", shed, p.Places.For(team.SeeEvening, p.menu))
	r.Get(at+"/menu/:item", shed, p.Places.For(team.ChangeMenu, p.item))
	r.Post(at+"/menu/:item", shed, p.Places.For(team.ChangeMenu, p.saveItem))
	r.Post(at+"/menu/:item/move", shed, p.Places.For(team.ChangeMenu, p.moveItem))
	r.Get(at+"/picture", shed, p.Places.For(team.SeeSettings, p.picture))
	r.Post(at+"/picture", shed, p.Places.For(team.ChangeMenu, p.savePicture))
	r.Get(at+"/seats", shed, p.Places.For(team.SeeSettings, p.seats))
	r.Post(at+"/seats", shed, p.Places.For(team.ChangeSettings, p.saveSeats))
	r.Get(at+"/coupons", shed, p.Places.For(team.SeeSettings, p.coupons))
	r.Post(at+"/coupons", shed, p.Places.For(team.ChangeSettings, p.addCoupon))
	r.Post(at+"/coupons/:coupon/end", shed, p.Places.For(team.ChangeSettings, p.endCoupon))
}

// number reads a number of a form; nothing typed is otherwise. Spaces and commas between its digits do not count.
func number(typed string, otherwise int) (int, error) {
	typed = strings.NewReplacer(",", "", " ", "").Replace(typed)
	if typed == "" {
		return otherwise, nil
	}
	return strconv.Atoi(typed)
}

// faultsOf is what a form says of an error that it can show, field by field, with the status; nil for any other.
func faultsOf(lang string, err error, fieldOf func(name string) string) (views.FieldErrors, int) {
	var invalid *booking.InvalidError
	known := errors.Is(err, setup.ErrChanged) || errors.Is(err, setup.ErrTooManyPictures) ||
		errors.Is(err, setup.ErrNoTag)
	problem := respond.ProblemOf(err)
	switch {
	case errors.As(err, &invalid), problem.Status == fiber.StatusUnprocessableEntity:
		faults := views.FieldErrors{}
		for _, f := range problem.Fields {
			name := fieldOf(f.Name)
			if faults[name] == "" {
				faults[name] = respond.FieldSentence(lang, f)
			}
		}
		return faults, fiber.StatusUnprocessableEntity
	case known:
		return views.FieldErrors{views.FieldForm: respond.Sentence(lang, problem)}, problem.Status
	}
	return nil, 0
}
