package coupon

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

var evening = time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)

func openCampaign(total, issued int) CampaignState {
	return CampaignState{Now: evening, Campaign: Campaign{ID: 1, Total: total, Issued: issued,
		OpensAt: evening.Add(-time.Hour), ClosesAt: evening.Add(time.Hour)}}
}

func run(users ...string) []Request {
	var run []Request
	for _, user := range users {
		run = append(run, Request{CouponID: 1, UserID: user, IdempotencyKey: "key-" + user})
	}
	return run
}

func TestDecide_GivesToWhoeverCameFirst(t *testing.T) {
	t.Parallel()
	outcomes, after := Decide(openCampaign(5, 3), run("ann", "bob", "ann", "cem"))
	for i, want := range []error{nil, nil, ErrAlreadyClaimed, ErrSoldOut} {
		if !errors.Is(outcomes[i].Err, want) {
			t.Errorf("%d: %v, want %v", i, outcomes[i].Err, want)
		}
	}
	if after.Issued != 5 || after.StateAt(evening) != SoldOut {
		t.Errorf("after the run: %+v", after)
	}
}

func TestDecide_KnowsWhoHasOne(t *testing.T) {
	t.Parallel()
	state := openCampaign(1, 1)
	state.Claims = map[string]Claim{"ann": {ID: "A", IdempotencyKey: "key-ann"},
		"bob": {ID: "B", IdempotencyKey: "earlier"}}
	outcomes, after := Decide(state, run("ann", "bob", "cem"))
	if !outcomes[0].Repeat || outcomes[0].ClaimID != "A" || outcomes[0].Err != nil {
		t.Errorf("the same key: %+v", outcomes[0])
	}
	if !errors.Is(outcomes[1].Err, ErrAlreadyClaimed) || outcomes[1].ClaimID != "B" {
		t.Errorf("another key: %+v", outcomes[1])
	}
	if !errors.Is(outcomes[2].Err, ErrSoldOut) || after.Issued != 1 {
		t.Errorf("somebody else: %+v of %+v", outcomes[2], after)
	}
}

func TestStateAt_ChangesAtTheCampaignsTimes(t *testing.T) {
	t.Parallel()
	c := openCampaign(1, 0).Campaign
	var states []State
	for _, at := range []time.Time{c.OpensAt.Add(-1), c.OpensAt, c.ClosesAt.Add(-1), c.ClosesAt} {
		states = append(states, c.StateAt(at))
	}
	if !slices.Equal(states, []State{Upcoming, Open, Open, Over}) {
		t.Errorf("%v", states)
	}
}

func TestRecent_WhatATurnLeftIsKnownAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stored, r := openCampaign(2, 0).Campaign, newRecent()
		issued := func() int {
			all, err := r.list(t.Context(), func(context.Context) ([]Campaign, error) {
				return []Campaign{stored}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return all[0].Issued
		}
		if issued() != 0 {
			t.Fatal("not as stored")
		}
		after := stored
		after.Issued = 2
		r.note(after)
		if issued() != 2 {
			t.Error("a turn's end is not known")
		}
		time.Sleep(freshness)
		if issued() != 2 {
			t.Error("an older reading counts")
		}
		stored.Issued = 3
		time.Sleep(freshness)
		if issued() != 3 {
			t.Error("a newer reading does not count")
		}
	})
}
