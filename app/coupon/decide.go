package coupon

import "time"

// CampaignState is what a turn reads of a campaign under its row lock before it decides.
type CampaignState struct {
	Campaign
	Now    time.Time        // by the database's clock
	Claims map[string]Claim // what persons of the run have of this campaign, by user
}

// Outcome is the answer to one request of a run: a new coupon, the one that the same key was given before (Repeat), or
// why not.
type Outcome struct {
	Request Request
	ClaimID string // of the new coupon, the repeated one, or the one that the person has already
	Repeat  bool
	Err     error // ErrAlreadyClaimed, ErrSoldOut, ErrNotOpen or ErrOver
}

// Claims says whether the outcome makes a new coupon.
func (o Outcome) Claims() bool { return o.Err == nil && !o.Repeat }

// Decide gives each request of a run its outcome, in arrival order, and returns the campaign after it. It reads nothing
// but its arguments and changes none of them, so what it decides is right exactly while the campaign's row is locked.
func Decide(state CampaignState, run []Request) ([]Outcome, Campaign) {
	outcomes := make([]Outcome, 0, len(run))
	given := map[string]bool{}
	for _, req := range run {
		out := Outcome{Request: req}
		claim, has := state.Claims[req.UserID]
		switch {
		case has && claim.IdempotencyKey == req.IdempotencyKey:
			out.ClaimID, out.Repeat = claim.ID, true
		case has:
			out.ClaimID, out.Err = claim.ID, ErrAlreadyClaimed
		case given[req.UserID]:
			out.Err = ErrAlreadyClaimed
		default:
			out.Err = state.Closed(state.Now)
		}
		if out.Claims() {
			given[req.UserID] = true
			state.Issued++
		}
		outcomes = append(outcomes, out)
	}
	return outcomes, state.Campaign
}
