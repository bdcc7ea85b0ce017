package webtest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reports"
	"lunchgo/app/reserve"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// deed is what staff do over HTTP, and the right that it takes.
type deed struct {
	action team.Action
	path   string
	form   url.Values
}

// Every role can do over HTTP what the table of rights gives it, and gets 403 for the rest.
func TestRolesDoWhatTheirRightsGive(t *testing.T) {
	t.Parallel()
	for _, role := range []identity.Role{identity.RoleOwner, identity.RoleManager, identity.RoleHost} {
		t.Run(string(role), func(t *testing.T) {
			t.Parallel()
			r := newHarness(t)
			member, slot := r.staffAs(t, r.restaurant.ID, role), r.slot("19:00")
			_, came := r.confirm(t, r.begun(), 2)
			_, cancelled := r.confirm(t, slot, 2)
			start := r.start(t, slot)
			controls := views.StaffSlotControlsURL(r.restaurant.ID, start)
			for _, d := range []deed{
				{team.SeeEvening, views.StaffBoardURL(r.restaurant.ID, start), nil},
				{team.SeeEvening, views.StaffSlotURL(r.restaurant.ID, start), nil},
				{team.SeeEvening, views.StaffMenuURL(r.restaurant.ID, start), nil},
				{team.MarkGuest, views.StaffArrivedURL(came), url.Values{}},
				{team.MarkGuest, views.StaffUndoURL(came), url.Values{"state": {"arrived"}}},
				{team.CancelWithRefund, views.StaffCancelURL(cancelled), url.Values{}},
				{team.OpenCloseSlot, controls, url.Values{"part": {"close"}, "confirmed": {"yes"}}},
				{team.OpenCloseSlot, controls, url.Values{"part": {"open"}, "confirmed": {"yes"}}},
				{team.ChangeCapacity, controls, url.Values{"part": {"capacity"}, "capacity": {"12"}, "confirmed": {"yes"}}},
				{team.PlanOpening, controls, url.Values{"part": {"open_now"}, "confirmed": {"yes"}}},
				{team.ChangeStock, views.StaffPortionsURL(r.restaurant.ID, start, r.menu[0].ID), url.Values{"portions": {"5"}}},
			} {
				want := 403
				var got answer
				if d.form == nil {
					got = r.page(t, member, d.path)
				} else {
					got = r.send(t, member, d.path, d.form)
				}
				if team.May(role, d.action) {
					want = map[bool]int{true: 200, false: 303}[d.form == nil]
				}
				if got.status != want {
					t.Errorf("%s: %s: %d, want %d", role, d.path, got.status, want)
				}
			}
			form := "/menu/" + string(slot.Date)
			menu := r.page(t, member, views.StaffMenuURL(r.restaurant.ID, start))
			if team.May(role, team.ChangeStock) {
				menu.has(t, form)
			} else {
				menu.hasNot(t, form)
			}
		})
	}
}

// manageTeam does all that managing a team is, with members and addresses of its own. Leaving is everybody's, so nobody
// leaves.
func manageTeam(ctx context.Context, t *testing.T, r *harness, by team.Staff) error {
	t.Helper()
	member := r.staffAs(t, r.restaurant.ID, identity.RoleHost).id
	made, invited := r.Team.Invite(ctx, by, team.NewInvitation{RestaurantID: r.restaurant.ID, Email: "new-" + member +
		"@example.org", Role: identity.RoleHost})
	for _, err := range []error{
		r.Team.Withdraw(ctx, by, r.restaurant.ID, made.ID),
		r.Team.ChangeRole(ctx, by, r.restaurant.ID, member, identity.RoleManager),
		r.Team.Remove(ctx, by, r.restaurant.ID, member),
	} {
		if !errors.Is(err, invited) || (err == nil) != (invited == nil) {
			t.Errorf("invite: %v, and another: %v", invited, err)
		}
	}
	return invited
}

// reached tries to write a document over a version that there is not: who may write it learns that it has changed.
func reached(t *testing.T, write func(setup.Write) error, restaurantID int64) error {
	t.Helper()
	if err := write(setup.Write{RestaurantID: restaurantID, Tag: "another"}); !errors.Is(err, setup.ErrChanged) {
		return err
	}
	return nil
}

// The use cases themselves refuse who may not: handlers that forget to ask cannot open anything.
func TestUseCasesRefuseWhoMayNot(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, _ := r.newRestaurant(t, "another")
	slot := r.slot("19:00")
	_, id := r.confirm(t, slot, 2)
	ctx, teams, about, review := t.Context(), r.Team, r.caller(t), r.review(t, r.slot("18:00"))
	book := func(by team.Staff, over *booking.Override) error {
		draft := booking.GuestDraft{Name: "Guest", Source: booking.Phone, Override: over,
			Draft: booking.Draft{RestaurantID: r.restaurant.ID, Date: string(slot.Date), Time: "20:00", PartySize: 1}}
		watch, _, err := r.Bookings.BookGuest(ctx, by, rand.Text(), draft)
		if err == nil {
			watch.Close()
		}
		return err
	}
	move := func(by team.Staff, over *booking.Override) error {
		watch, err := r.Bookings.MoveGuest(ctx, by, reserve.Move{ReservationID: id, Key: "key-of-" + by.UserID(),
			GuestChange: booking.GuestChange{PartySize: new(3), Override: over}})
		if errors.Is(err, booking.ErrNothingToChange) || errors.Is(err, booking.ErrWrongState) {
			return nil // another role has changed or cancelled it already
		}
		if err == nil {
			watch.Close()
		}
		return err
	}
	deeds := map[team.Action]func(by team.Staff) error{
		team.SeeEvening: func(by team.Staff) error {
			_, guests := r.Bookings.Guests(ctx, by, slot, keyset.Request{})
			_, slots := r.Bookings.Occupancies(ctx, by, r.restaurant, slot.Date)
			_, waiting := r.Waitlists.Waiting(ctx, by, slot, keyset.Request{})
			_, portions := r.Bookings.Portions(ctx, by, r.restaurant.ID, slot.Date)
			_, evening := r.Evenings.Read(ctx, by, r.restaurant, slot.Date)
			for _, err := range []error{slots, waiting, portions, evening} {
				if !errors.Is(err, guests) || (err == nil) != (guests == nil) {
					t.Errorf("guests: %v, and another: %v", guests, err)
				}
			}
			return guests
		},
		team.SeeGuests: func(by team.Staff) error {
			service := guests.NewService(r.Stores.Guests)
			found, listed := service.List(ctx, by, r.restaurant.ID, guests.Search{}, keyset.Request{})
			of := "unknown"
			if len(found.Items) > 0 {
				of = found.Items[0].ID
			}
			if _, err := service.Find(ctx, by, r.restaurant.ID, of, keyset.Request{}); !errors.Is(err, listed) {
				t.Errorf("list: %v, find: %v", listed, err)
			}
			if _, err := service.Export(ctx, by, r.restaurant, guests.Search{}); !errors.Is(err, listed) {
				t.Errorf("list: %v, export: %v", listed, err)
			}
			return listed
		},
		team.NoteGuests: func(by team.Staff) error {
			service := guests.NewService(r.Stores.Guests)
			_, noted := service.AddNote(ctx, by, r.restaurant.ID, about.Guest, "likes tea")
			if _, err := service.SetTags(ctx, by, r.restaurant.ID, about.Guest, []string{"vip"}); !errors.Is(err,
				noted) {
				t.Errorf("note: %v, tags: %v", noted, err)
			}
			return noted
		},
		team.DeleteGuestNotes: func(by team.Staff) error {
			note, err := r.Stores.Guests.AddNote(ctx, about, "likes tea")
			dbtest.Must(t, err)
			return guests.NewService(r.Stores.Guests).DeleteNote(ctx, by, r.restaurant.ID, about.Guest, note.ID)
		},
		team.SeeReports: func(by team.Staff) error {
			_, err := reports.NewService(r.Stores.Reports).Read(ctx, by, r.restaurant,
				reports.Filter{Period: reports.Last(1, slot.Date), Weekday: -1})
			return err
		},
		team.MarkGuest: func(by team.Staff) error {
			_, marked := r.Bookings.Mark(ctx, by, id, booking.Arrived)
			_, undone := r.Bookings.Undo(ctx, by, id, booking.Arrived)
			early := errors.Is(marked, booking.ErrTooEarly) || errors.Is(marked, booking.ErrWrongState)
			if early && errors.Is(undone, booking.ErrWrongState) {
				return nil // tomorrow's guest, or one that is cancelled by now: not refused for the role
			}
			return errors.Join(marked, undone)
		},
		team.OpenCloseSlot: func(by team.Staff) error {
			yes, no := true, false
			_, closed := r.Bookings.ChangeSlot(ctx, by, slot, reserve.SlotChange{Closed: &yes}, false)
			_, paused := r.Bookings.ChangeDay(ctx, by, slot.Date, reserve.SlotChange{Closed: &no, Paused: &no}, false)
			return errors.Join(closed, paused)
		},
		team.ChangeCapacity: func(by team.Staff) error {
			capacity := 20
			_, err := r.Bookings.ChangeSlot(ctx, by, slot, reserve.SlotChange{Capacity: &capacity}, false)
			return err
		},
		team.SteerLine: func(by team.Staff) error {
			notice := "곧 다시 받습니다"
			_, err := r.Bookings.ChangeSlot(ctx, by, slot, reserve.SlotChange{Notice: &notice}, false)
			_, waits := r.Bookings.WhoWaits(ctx, by, slot, keyset.Request{})
			return errors.Join(err, waits, r.Bookings.EndTurn(ctx, by, slot))
		},
		team.StopBookings: func(by team.Staff) error {
			_, err := r.Bookings.StopBookings(ctx, by, reserve.Stop{RestaurantID: r.restaurant.ID})
			return err
		},
		team.PlanOpening: func(by team.Staff) error {
			opens, draw := time.Now().Add(time.Hour), true
			_, planned := r.Bookings.ChangeSlot(ctx, by, slot, reserve.SlotChange{OpensAt: &opens, Draw: &draw}, false)
			_, opened := r.Bookings.ChangeSlot(ctx, by, slot, reserve.SlotChange{ClearOpening: true}, false)
			return errors.Join(planned, opened)
		},
		team.ChangeStock: func(by team.Staff) error {
			left := 9
			return r.Bookings.SetStock(ctx, by,
				reserve.StockChange{RestaurantID: r.restaurant.ID, MenuItemID: r.menu[0].ID,
					Date: slot.Date, Remaining: &left})
		},
		team.ChangeMenu: func(by team.Staff) error {
			return reached(t, func(w setup.Write) error {
				_, err := r.Contents.PutMenu(ctx, by, w, setup.Menu{})
				return err
			}, r.restaurant.ID)
		},
		team.SeeTeam: func(by team.Staff) error {
			_, _, err := teams.List(ctx, by, r.restaurant.ID)
			return err
		},
		team.SeeAuditLog: func(by team.Staff) error {
			_, err := teams.Entries(ctx, by, r.restaurant.ID, team.LogFilter{}, keyset.Request{})
			_, _, choices := teams.LogChoices(ctx, by, r.restaurant.ID)
			if !errors.Is(choices, err) || (choices == nil) != (err == nil) {
				t.Errorf("entries: %v, choices: %v", err, choices)
			}
			return err
		},
		team.AnswerReviews: func(by team.Staff) error { return r.Program.Reviews.Answer(ctx, by, review, "thanks") },
		team.RunRehearsal: func(by team.Staff) error {
			_, latest := r.Program.Rehearsals.Latest(ctx, by, r.restaurant.ID)
			_, found := r.Program.Rehearsals.Find(ctx, by, r.restaurant.ID, "none")
			if latest == nil && !errors.Is(found, booking.ErrNotFound) || latest != nil && !errors.Is(found, latest) {
				t.Errorf("latest: %v, one: %v", latest, found)
			}
			return latest
		},
		team.ManageTeam: func(by team.Staff) error { return manageTeam(ctx, t, r, by) },
		team.ManageWebhooks: func(by team.Staff) error {
			_, err := r.Program.Webhooks.List(ctx, by, r.restaurant.ID)
			return err
		},
		team.BookForGuest: func(by team.Staff) error { return book(by, nil) },
		team.SeatOverPlan: func(by team.Staff) error {
			over := &booking.Override{Reason: "a regular"}
			booked, moved := book(by, over), move(by, over)
			if errors.Is(booked, booking.ErrForbidden) != errors.Is(moved, booking.ErrForbidden) {
				t.Errorf("booked %v, moved %v", booked, moved)
			}
			return booked
		},
		team.MoveGuest: func(by team.Staff) error { return move(by, nil) },
		team.SeeSettings: func(by team.Staff) error {
			_, err := r.Rules.Find(ctx, by, r.restaurant.ID)
			return err
		},
		team.ChangeSettings: func(by team.Staff) error { return r.replace(t, by, setup.DocSettings) },
		team.ChangeHours: func(by team.Staff) error {
			return errors.Join(r.replace(t, by, setup.DocHours), r.replace(t, by, setup.DocClosures))
		},
		team.Publish: func(by team.Staff) error {
			_, err := r.Rules.Submit(ctx, by, r.restaurant.ID)
			return err
		},
		team.GiveBack: func(by team.Staff) error {
			_, err := r.Bookings.GiveBack(ctx, by, booking.GiveBack{ReservationID: id, Key: "k", Amount: 1 << 40, Reason: "x"})
			if errors.Is(err, booking.ErrMoreThanLeft) {
				return nil
			}
			return err
		},
		team.CancelWithRefund: func(by team.Staff) error {
			_, err := r.Bookings.CancelGuest(ctx, by, id, "")
			if errors.Is(err, booking.ErrWrongState) {
				return nil // another role has done it already
			}
			return err
		},
	}
	staffOf := func(who person, restaurant int64) team.Staff {
		by, err := r.Bookings.Staff(ctx, who.id, restaurant)
		dbtest.Must(t, err)
		return by
	}
	for action, do := range deeds {
		if err := do(team.Staff{}); !errors.Is(err, booking.ErrNotFound) {
			t.Errorf("%s by nobody: %v", action, err)
		}
		if err := do(staffOf(r.staffAs(t, other.ID, identity.RoleOwner), other.ID)); !errors.Is(err,
			booking.ErrNotFound) {
			t.Errorf("%s by another restaurant's owner: %v", action, err)
		}
		for _, role := range []identity.Role{identity.RoleHost, identity.RoleManager, identity.RoleOwner} {
			err := do(staffOf(r.staffAs(t, r.restaurant.ID, role), r.restaurant.ID))
			if may := team.May(role, action); may && err != nil || !may && !errors.Is(err, booking.ErrForbidden) {
				t.Errorf("%s by a %s, who may: %v; %v", action, role, may, err)
			}
		}
	}
	for _, action := range team.Actions() {
		if _, tried := deeds[action]; !tried {
			t.Errorf("%s is not tried", action)
		}
	}
	for _, nobody := range []string{r.diner(t, 0).id, "unknown", ""} {
		if _, err := r.Bookings.Staff(ctx, nobody, r.restaurant.ID); !errors.Is(err, booking.ErrNotFound) {
			t.Errorf("%q as staff: %v", nobody, err)
		}
	}
}
