package program

import (
	"lunchgo/db"
	"lunchgo/db/accounts"
	"lunchgo/db/audits"
	"lunchgo/db/catalog"
	"lunchgo/db/closing"
	"lunchgo/db/coupons"
	"lunchgo/db/door"
	"lunchgo/db/evening"
	"lunchgo/db/favourites"
	"lunchgo/db/guests"
	"lunchgo/db/letters"
	"lunchgo/db/linelog"
	"lunchgo/db/messages"
	"lunchgo/db/outbox"
	"lunchgo/db/pg"
	"lunchgo/db/practicebank"
	"lunchgo/db/rehearsals"
	"lunchgo/db/reports"
	"lunchgo/db/reviews"
	"lunchgo/db/seed"
	"lunchgo/db/setup"
	"lunchgo/db/team"
	"lunchgo/db/wallet"
	"lunchgo/db/webhooks"
)

// Stores are all that the product keeps in PostgreSQL.
type Stores struct {
	Catalog      *catalog.Store
	Slots        *db.SlotStore
	Stocks       *db.StockStore
	Reservations *db.ReservationStore
	Waitlist     *db.WaitlistStore
	Wallets      *wallet.Store
	Campaigns    *coupons.Store
	Users        *accounts.Store
	Mails        *letters.MailStore
	Pushes       *letters.PushStore
	Texts        *letters.TextStore
	Audits       *audits.Store
	Seeds        *seed.Store
	Operators    *accounts.OperatorStore
	Drafts       *setup.DraftStore
	LineLogs     *linelog.Store
	Contents     *setup.ContentStore
	Team         *team.Store
	Rehearsals   *rehearsals.Store
	Documents    *setup.DocumentStore
	Reports      *reports.Store
	Guests       *guests.Store
	Evenings     *evening.Store
	Reviews      *reviews.Store
	Favourites   *favourites.Store
	Messages     *messages.Store
	Doors        *door.Store
	Closings     *closing.Store
	Outbox       *outbox.Store
	Webhooks     *webhooks.Store
	Payments     *db.PaymentStore
	PracticeBank *practicebank.Store
}

// NewStores returns the stores of a database.
func NewStores(d *pg.Pool) Stores {
	return Stores{
		Catalog:      catalog.NewStore(d),
		Slots:        db.NewSlotStore(d),
		Stocks:       db.NewStockStore(d),
		Reservations: db.NewReservationStore(d),
		Waitlist:     db.NewWaitlistStore(d),
		Wallets:      wallet.NewStore(d),
		Campaigns:    coupons.NewStore(d),
		Users:        accounts.NewStore(d),
		Mails:        letters.NewMailStore(d),
		Pushes:       letters.NewPushStore(d),
		Texts:        letters.NewTextStore(d),
		Audits:       audits.NewStore(d),
		Seeds:        seed.NewStore(d),
		Operators:    accounts.NewOperatorStore(d),
		Drafts:       setup.NewDraftStore(d),
		LineLogs:     linelog.NewStore(d),
		Contents:     setup.NewContentStore(d),
		Team:         team.NewStore(d),
		Rehearsals:   rehearsals.NewStore(d, db.NewSlotStore(d)),
		Documents:    setup.NewDocumentStore(d),
		Reports:      reports.NewStore(d),
		Guests:       guests.NewStore(d),
		Evenings:     evening.NewStore(d),
		Reviews:      reviews.NewStore(d),
		Favourites:   favourites.NewStore(d),
		Messages:     messages.NewStore(d),
		Doors:        door.NewStore(d),
		Closings:     closing.NewStore(d),
		Outbox:       outbox.NewStore(d),
		Webhooks:     webhooks.NewStore(d),
		Payments:     db.NewPaymentStore(d),
		PracticeBank: practicebank.NewStore(d),
	}
}
