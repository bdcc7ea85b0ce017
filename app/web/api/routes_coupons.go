package api

import (
	"lunchgo/app/team"
	"lunchgo/app/web/access"
)

func (a *API) couponsRoutes() group {
	return group{name: "coupons", about: "Campaigns of coupons, and claims.",
		operations: []operation{
			{route: "GET /coupons", id: "listCoupons",
				summary: "List the coupon campaigns that are not over",
				text: "With the coupons of whoever is signed in: their campaigns are listed, last, also when they are " +
					"over. What remains may be a second old.",
				right: access.Anyone, greets: true, paged: true,
				gives: answer{200, page{"coupons", campaign{}}, "The next to end first."},
				run:   a.listCoupons,
			},
			{route: "POST /coupons/{id}/claims", id: "claimCoupon",
				summary: "Stand in a campaign's line for a coupon, one a person",
				text:    "Whoever comes first is served first, as for reservations: see there.",
				right:   access.SignedIn, limit: ofPresses, unshed: true, key: needsKey, waits: true,
				path:    []parameter{{name: "id", is: number}},
				gives:   answer{201, claim{}, "The coupon. A repeat with the same key gets the same one."},
				refuses: []string{"already_claimed", "sold_out", "not_open", "over", "too_many_lines"},
				run:     a.claimCoupon,
			},
			{route: "GET /staff/restaurants/{restaurant}/coupons", id: "listOwnCampaigns",
				summary: "The coupon campaigns of a restaurant",
				text:    "For managers and owners; the newest first.",
				right:   access.Staff(team.SeeSettings),
				gives:   answer{200, ownCampaigns{}, "The campaigns."},
				run:     a.listOwnCampaigns,
			},
			{route: "POST /staff/restaurants/{restaurant}/coupons", id: "addCampaign",
				summary: "Open a coupon campaign",
				text:    "Its coupons can be used at the restaurant only.",
				right:   access.Staff(team.ChangeSettings), takes: campaignRequest{},
				gives: answer{201, staffCampaign{}, "The campaign."},
				run:   a.addCampaign,
			},
			{route: "DELETE /staff/restaurants/{restaurant}/coupons/{coupon}", id: "endCampaign",
				summary: "End a coupon campaign now",
				text:    "Nobody gets another of its coupons; those that people have can be used as before.",
				right:   access.Staff(team.ChangeSettings),
				gives:   answer{200, staffCampaign{}, "The campaign, which is over."},
				run:     a.endCampaign,
			},
		}}
}
