package api

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

// colleague is somebody who works at a restaurant.
type colleague struct {
	UserID string        `json:"userId"`
	Name   string        `json:"name"`
	Email  string        `json:"email"`
	Role   identity.Role `json:"role"`
	Since  time.Time     `json:"since"`
}

// invitation is one that can be accepted.
type invitation struct {
	ID        string        `json:"id"`
	Email     string        `json:"email"`
	Role      identity.Role `json:"role"`
	InvitedBy string        `json:"invitedBy"` // the name of who sent it
	CreatedAt time.Time     `json:"createdAt"`
	ExpiresAt time.Time     `json:"expiresAt"`
}

func newInvitation(i team.Invitation) invitation {
	return invitation{ID: i.ID, Email: i.Email, Role: i.Role, InvitedBy: i.InvitedBy, CreatedAt: i.CreatedAt,
		ExpiresAt: i.ExpiresAt}
}

type teamAnswer struct {
	Members     []colleague  `json:"members"`
	Invitations []invitation `json:"invitations"`
}

// listMembers answers GET /api/staff/restaurants/{id}/members.
func (a *API) listMembers(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeTeam)
	if err != nil {
		return err
	}
	members, invitations, err := a.Team.List(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	people, open := make([]colleague, 0, len(members)), make([]invitation, 0, len(invitations))
	for _, m := range members {
		people = append(people, colleague(m))
	}
	for _, i := range invitations {
		open = append(open, newInvitation(i))
	}
	return c.JSON(teamAnswer{people, open})
}

type roleRequest struct {
	Role identity.Role `json:"role"`
}

// changeMember answers PATCH /api/staff/restaurants/{id}/members/{member}.
func (a *API) changeMember(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ManageTeam)
	if err != nil {
		return err
	}
	var in roleRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	if err := a.Team.ChangeRole(c.UserContext(), w.By, w.Restaurant.ID, param(c, "member"), in.Role); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// removeMember answers DELETE /api/staff/restaurants/{id}/members/{member}: everybody may leave.
func (a *API) removeMember(c *fiber.Ctx) error {
	w, err := a.Places.Find(c)
	if err != nil {
		return err
	}
	if err := a.Team.Remove(c.UserContext(), w.By, w.Restaurant.ID, param(c, "member")); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

type invitationRequest struct {
	Email string        `json:"email"`
	Role  identity.Role `json:"role"`
}

// invite answers POST /api/staff/restaurants/{id}/invitations. The link is in the letter only.
func (a *API) invite(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ManageTeam)
	if err != nil {
		return err
	}
	var in invitationRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	made, err := a.Team.Invite(c.UserContext(), w.By, team.NewInvitation{RestaurantID: w.Restaurant.ID, Email: in.Email,
		Role: in.Role, Language: language(c)})
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(newInvitation(made))
}

// withdrawInvitation answers DELETE /api/staff/restaurants/{id}/invitations/{invitation}.
func (a *API) withdrawInvitation(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ManageTeam)
	if err != nil {
		return err
	}
	if err := a.Team.Withdraw(c.UserContext(), w.By, w.Restaurant.ID, param(c, "invitation")); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// act is an entry of a restaurant's audit log.
type act struct {
	ID     int64     `json:"id"`
	At     time.Time `json:"at"`
	UserID string    `json:"userId"`
	// Of who did it; empty when the account is deleted.
	Name string `json:"name"`
	// The area and what was done, as in `slot.capacity`. More may be added.
	Action string `json:"action"`
	// Of the slot; null where it is about none.
	Date          *booking.Date      `json:"date"`
	Time          *booking.TimeOfDay `json:"time"`
	ReservationID *string            `json:"reservationId"`
	// `was` and `is`: the values before and after; `reason`, where one was given; and others by action.
	Detail map[string]json.RawMessage `json:"detail"`
}

func newAct(e team.Entry) act {
	made := act{ID: e.ID, At: e.At, UserID: e.By, Name: e.ByName, Action: e.Action, Detail: e.Detail}
	if e.SlotDate != "" {
		made.Date, made.Time = &e.SlotDate, &e.SlotTime
	}
	if e.ReservationID != "" {
		made.ReservationID = &e.ReservationID
	}
	if made.Detail == nil {
		made.Detail = map[string]json.RawMessage{}
	}
	return made
}

// listAudit answers GET /api/staff/restaurants/{id}/audit: a page of what was done, the newest first.
func (a *API) listAudit(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeAuditLog)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	filter := team.LogFilter{By: strings.Clone(c.Query("userId")), Area: strings.Clone(c.Query("area")),
		Reservation: strings.Clone(c.Query("reservationId"))}
	if date := c.Query("date"); date != "" {
		if filter.Date, err = booking.ParseDate(strings.Clone(date)); err != nil {
			return err
		}
	}
	entries, err := a.Team.Entries(c.UserContext(), w.By, w.Restaurant.ID, filter, page)
	if err != nil {
		return err
	}
	return sendPage(c, "entries", entries, newAct)
}
