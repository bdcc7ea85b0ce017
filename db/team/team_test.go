package team_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/team"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	dbteam "lunchgo/db/team"
	"lunchgo/db/testkit"
)

func roleOf(h *testkit.Harness, by, userID string, role identity.Role) team.RoleChange {
	return team.RoleChange{By: by, RestaurantID: h.Restaurant.ID, UserID: userID, Role: role}
}

// The store looks again at who changes the team, and leaves the last owner.
func TestTeam_ChangesUnderTheLock(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s := dbteam.NewStore(h.Pool)
	host, manager, owner, other := h.Crew(t)
	ctx := t.Context()
	h.MustExec(t,
		`INSERT INTO users (id, email, name, phone, password_hash, demo) VALUES ('demo', 'd@example.org', 'D', '', '', true)`)
	h.Employ(t, "demo", identity.RoleHost)
	for name, c := range map[string]struct{ got, want error }{
		"a manager changes a role": {
			s.ChangeRole(ctx, roleOf(h, manager, host, identity.RoleOwner)), booking.ErrForbidden},
		"a stranger changes a role": {
			s.ChangeRole(ctx, roleOf(h, "nobody", host, identity.RoleOwner)), booking.ErrNotFound},
		"of nobody": {
			s.ChangeRole(ctx, roleOf(h, owner, "nobody", identity.RoleOwner)), booking.ErrNotFound},
		"of a demo account": {
			s.ChangeRole(ctx, roleOf(h, owner, "demo", identity.RoleOwner)), identity.ErrDemoAccount},
		"a host removes":               {s.RemoveMember(ctx, h.Removal(host, manager)), booking.ErrForbidden},
		"an owner removes nobody":      {s.RemoveMember(ctx, h.Removal(owner, "nobody")), booking.ErrNotFound},
		"an owner removes a demo host": {s.RemoveMember(ctx, h.Removal(owner, "demo")), identity.ErrDemoAccount},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log`); n != 0 {
		t.Errorf("%d entries for what was refused", n)
	}
	for _, err := range []error{
		s.ChangeRole(ctx, roleOf(h, owner, host, identity.RoleManager)),
		s.ChangeRole(ctx, roleOf(h, owner, host, identity.RoleManager)), // a repeat changes nothing
		s.RemoveMember(ctx, h.Removal(manager, manager)),
		s.RemoveMember(ctx, h.Removal(other, owner)),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	for name, err := range map[string]error{
		"leaves":        s.RemoveMember(ctx, h.Removal(other, other)),
		"steps back":    s.ChangeRole(ctx, roleOf(h, other, other, identity.RoleHost)),
		"by the former": s.RemoveMember(ctx, h.Removal(owner, other)),
	} {
		if want := map[bool]error{true: booking.ErrNotFound,
			false: team.ErrLastOwner}[name == "by the former"]; !errors.Is(err, want) {
			t.Errorf("the last owner %s: %v", name, err)
		}
	}
	members, err := s.ListMembers(ctx, h.Restaurant.ID)
	if err != nil || len(members) != 3 || members[0].UserID != other || members[1].Role != identity.RoleManager ||
		members[0].Since.IsZero() {
		t.Errorf("%+v, %v", members, err)
	}
	var acts []string
	dbtest.Must(t, h.SQL().Select(&acts,
		`SELECT action || ' ' || (detail ->> 'was') || COALESCE(' ' || (detail ->> 'is'), '')
		FROM audit_log ORDER BY id`))
	if want := []string{"team.role host manager", "team.leave manager", "team.remove owner"}; !slices.Equal(acts,
		want) {
		t.Errorf("%q, want %q", acts, want)
	}
}

// Two owners remove each other, or step back, at the same moment: one of them stays. Without the lock nobody does.
func TestTeam_OneOwnerStays(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(h *testkit.Harness, s *dbteam.Store, by, other string) error{
		"remove each other": func(h *testkit.Harness, s *dbteam.Store, by, other string) error {
			return s.RemoveMember(t.Context(), h.Removal(by, other))
		},
		"leave": func(h *testkit.Harness, s *dbteam.Store, by, _ string) error {
			return s.RemoveMember(t.Context(), h.Removal(by, by))
		},
		"step back": func(h *testkit.Harness, s *dbteam.Store, by, _ string) error {
			return s.ChangeRole(t.Context(), roleOf(h, by, by, identity.RoleHost))
		},
	} {
		for _, guarded := range []bool{true, false} {
			t.Run(name+map[bool]string{true: "", false: ", control"}[guarded], func(t *testing.T) {
				t.Parallel()
				h := testkit.Setup(t)
				_, _, owner, other := h.Crew(t)
				together := dbtest.Meeting(2)
				h.Weaken(dbteam.LockMembers, func(query string) string {
					if guarded {
						return together(query)
					}
					return dbtest.Replacing("FOR UPDATE", "")(query)
				})
				if !guarded {
					h.Weaken(dbteam.DeleteMember, together)
					h.Weaken(dbteam.UpdateMember, together)
				}
				errs := make([]error, 2)
				var both sync.WaitGroup
				for i, pair := range [][2]string{{owner, other}, {other, owner}} {
					both.Go(func() { errs[i] = act(h, dbteam.NewStore(h.Pool), pair[0], pair[1]) })
				}
				both.Wait()
				left := h.Count(t, `SELECT count(*) FROM staff_members WHERE role = 'owner'`)
				if want := map[bool]int{true: 1, false: 0}[guarded]; left != want {
					t.Errorf("%d owners are left, want %d; %v", left, want, errs)
				}
			})
		}
	}
}

// An invitation is accepted once, by whoever has its address, and the address counts as confirmed then.
func TestInvitation_AcceptedOnceByItsAddress(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s := dbteam.NewStore(h.Pool)
	_, manager, owner, _ := h.Crew(t)
	ctx := t.Context()
	first := h.MustInvite(t, owner, "haru@example.org", identity.RoleHost)
	i := h.MustInvite(t, owner, "haru@example.org", identity.RoleManager)
	user, stranger := h.SignUp(t, "haru@example.org"), h.Person(t)
	for name, c := range map[string]struct{ got, want error }{
		"a manager invites": {second(h.Invite(t, manager, "x@example.org", identity.RoleHost)),
			booking.ErrForbidden},
		"a member is invited":  {second(h.Invite(t, owner, stranger.Email, identity.RoleHost)), nil},
		"the one replaced":     {second(s.AcceptInvitation(ctx, first.ID, user.ID)), identity.ErrLinkOver},
		"by another address":   {second(s.AcceptInvitation(ctx, i.ID, stranger.ID)), team.ErrOtherAddress},
		"an unknown one":       {second(s.AcceptInvitation(ctx, "unknown", user.ID)), identity.ErrLinkOver},
		"withdrawn by another": {s.WithdrawInvitation(ctx, manager, h.Restaurant.ID, i.ID), booking.ErrForbidden},
		"of another house":     {s.WithdrawInvitation(ctx, owner, h.AnotherRestaurant(t), i.ID), booking.ErrNotFound},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	notes, err := letters.NewMailStore(h.Pool).TakeMails(ctx, 50)
	if err != nil || len(notes) != 4 { // the three invitations, and the letter of the sign-up
		t.Errorf("%d letters, %v", len(notes), err)
	}
	at := slices.IndexFunc(notes, func(n mail.Note) bool { return n.Invitation.ID == i.ID })
	if n := notes[at]; n.Email != user.Email || n.Invitation.Role != identity.RoleManager ||
		n.Invitation.Restaurant != h.Restaurant.Name || n.Invitation.Ended {
		t.Errorf("%+v", n)
	}
	var accepted, over int
	var lock sync.Mutex
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			_, err := s.AcceptInvitation(ctx, i.ID, user.ID)
			lock.Lock()
			defer lock.Unlock()
			if err == nil {
				accepted++
			} else if errors.Is(err, identity.ErrLinkOver) {
				over++
			}
		})
	}
	all.Wait()
	if accepted != 1 || over != 9 {
		t.Errorf("%d of 10 presses accept, %d find it over", accepted, over)
	}
	if u := h.UserAt(t, "haru@example.org"); !u.EmailConfirmed {
		t.Error("the address is not confirmed")
	}
	memberships, err := h.Users.ListMemberships(ctx, user.ID)
	if err != nil || len(memberships) != 1 || memberships[0].Role != identity.RoleManager {
		t.Errorf("%+v, %v", memberships, err)
	}
	if _, err := h.Invite(t, owner, user.Email, identity.RoleOwner); !errors.Is(err, team.ErrAlreadyMember) {
		t.Errorf("a member is invited: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE detail::text LIKE '%example.org%'`); n != 0 {
		t.Errorf("%d entries hold an address", n)
	}
}

func second[T any](_ T, err error) error { return err }

// Invitations end: with time, when they are withdrawn, and when who sent them is no owner any more.
func TestInvitation_Ends(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s := dbteam.NewStore(h.Pool)
	_, _, owner, other := h.Crew(t)
	ctx := t.Context()
	user := h.Person(t)
	for name, end := range map[string]func(i team.Invitation){
		"expires": func(i team.Invitation) {
			h.MustExec(t, `UPDATE staff_invitations SET expires_at = clock_timestamp() WHERE id = $1`, i.ID)
		},
		"is withdrawn": func(i team.Invitation) {
			if err := s.WithdrawInvitation(ctx, owner, h.Restaurant.ID, i.ID); err != nil {
				t.Error(err)
			}
		},
		"its sender steps back": func(team.Invitation) {
			if err := s.ChangeRole(ctx, roleOf(h, owner, other, identity.RoleHost)); err != nil {
				t.Error(err)
			}
			h.Employ(t, other, identity.RoleOwner)
		},
		"its sender goes": func(team.Invitation) {
			if err := s.RemoveMember(ctx, h.Removal(owner, other)); err != nil {
				t.Error(err)
			}
			h.Employ(t, other, identity.RoleOwner)
		},
	} {
		i := h.MustInvite(t, other, user.Email, identity.RoleHost)
		if found, err := s.FindInvitation(ctx, i.ID); err != nil || found != i {
			t.Errorf("%+v, %v, want %+v", found, err, i)
		}
		end(i)
		if _, err := s.FindInvitation(ctx, i.ID); !errors.Is(err, identity.ErrLinkOver) {
			t.Errorf("%s: found, %v", name, err)
		}
		if _, err := s.AcceptInvitation(ctx, i.ID, user.ID); !errors.Is(err, identity.ErrLinkOver) {
			t.Errorf("%s: accepted, %v", name, err)
		}
	}
	if open, err := s.ListInvitations(ctx, h.Restaurant.ID); err != nil || len(open) != 0 {
		t.Errorf("%+v, %v", open, err)
	}
	h.MustInvite(t, other, user.Email, identity.RoleHost) // the fifth letter to the address
	var limit *identity.LetterLimitError
	if _, err := h.Invite(t, owner, user.Email, identity.RoleHost); !errors.As(err, &limit) || limit.Wait <= 0 {
		t.Errorf("a sixth letter in a day: %v", err)
	}
	dbtest.Must(t, h.DeleteAccount(t, user.ID))
	if n := h.Count(t, `SELECT count(*) FROM staff_invitations`); n != 0 {
		t.Errorf("%d invitations hold the address of a deleted account", n)
	}
}

// A restaurant has 20 open invitations, however many owners invite at once.
func TestInvite_LimitOfARestaurant(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	_, _, owner, other := h.Crew(t)
	var made, refused int
	var lock sync.Mutex
	var all sync.WaitGroup
	for n := range team.MaxInvitations + 5 {
		all.Go(func() {
			_, err := h.Invite(t, []string{owner, other}[n%2], string(rune('a'+n))+"@example.org", identity.RoleHost)
			lock.Lock()
			defer lock.Unlock()
			if err == nil {
				made++
			} else if errors.Is(err, team.ErrTooManyInvitations) {
				refused++
			}
		})
	}
	all.Wait()
	if made != team.MaxInvitations || refused != 5 {
		t.Errorf("%d made, %d refused", made, refused)
	}
}

// The log is read newest first, by person, area, day and reservation; a deleted account's name is gone, its acts stay.
func TestListEntries_OfARestaurantsLog(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s := dbteam.NewStore(h.Pool)
	host, manager, owner, _ := h.Crew(t)
	ctx := t.Context()
	slot := h.Slot("19:00")
	id := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], slot))
	if _, err := h.Reservations.CancelByStaff(ctx, id, host, ""); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		dbtest.Must(t, h.SetCapacity(t, slot, 10+i, manager))
	}
	dbtest.Must(t, s.RemoveMember(ctx, h.Removal(owner, host)))
	list := func(restaurantID int64, f team.LogFilter) (actions []string) {
		t.Helper()
		for page := (keyset.Request{Limit: 2}); ; {
			entries, err := s.ListEntries(ctx, restaurantID, f, page)
			dbtest.Must(t, err)
			for _, e := range entries.Items {
				actions = append(actions, e.Action)
			}
			if entries.Next == "" {
				return actions
			}
			after, err := keyset.Parse(entries.Next)
			dbtest.Must(t, err)
			page.After = &after
		}
	}
	all := []string{"team.remove", "slot.capacity", "slot.capacity", "slot.capacity", "reservation.cancelled"}
	today := booking.DateOf(time.Now(), h.Restaurant.Location)
	for name, c := range map[string]struct {
		filter team.LogFilter
		want   []string
	}{
		"all":            {team.LogFilter{}, all},
		"by person":      {team.LogFilter{By: manager}, all[1:4]},
		"by area":        {team.LogFilter{Area: "team"}, all[:1]},
		"by day":         {team.LogFilter{Date: today}, all},
		"by another day": {team.LogFilter{Date: today.AddDays(-1)}, nil},
		"by reservation": {team.LogFilter{Reservation: " " + booking.Reservation{ID: id}.Code()}, all[4:]},
	} {
		if got := list(h.Restaurant.ID, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := list(h.AnotherRestaurant(t), team.LogFilter{}); len(got) != 0 {
		t.Errorf("another restaurant's: %q", got)
	}
	dbtest.Must(t, h.DeleteAccount(t, host))
	entries, err := s.ListEntries(ctx, h.Restaurant.ID, team.LogFilter{}, keyset.Request{})
	if err != nil || len(entries.Items) != 5 {
		t.Fatalf("%+v, %v", entries, err)
	}
	first, last := entries.Items[0], entries.Items[4]
	if first.Member != "" || last.ByName != "" || last.By != host || last.ReservationID != id ||
		last.SlotTime != "19:00" || last.SlotDate != slot.Date {
		t.Errorf("%+v\n%+v", first, last)
	}
	actors, err := s.ListActors(ctx, h.Restaurant.ID)
	areas, err2 := s.ListAreas(ctx, h.Restaurant.ID)
	if err != nil || err2 != nil || len(actors) != 3 || !slices.Equal(areas, []string{"reservation", "slot", "team"}) {
		t.Errorf("%+v, %q, %v, %v", actors, areas, err, err2)
	}
}
