package program

import (
	"lunchgo/db"
	"lunchgo/db/pg"
)

// Stores are all that the product keeps in PostgreSQL.
type Stores struct {
	Catalog      *db.Catalog
	Slots        *db.SlotStore
	Stocks       *db.StockStore
	Reservations *db.ReservationStore
	Waitlist     *db.WaitlistStore
	Wallets      *db.WalletStore
	Campaigns    *db.CouponStore
	Users        *db.UserStore
	Mails        *db.MailStore
	Pushes       *db.PushStore
	Texts        *db.TextStore
	Audits       *db.AuditStore
	Operator     *db.SeedStore
	Drafts       *db.DraftStore
	LineLogs     *db.LineLogStore
	Setups       *db.SetupStore
	Team         *db.TeamStore
	Rehearsals   *db.RehearsalStore
	Rules        *db.RulesStore
	Reports      *db.ReportStore
	Guests       *db.GuestStore
	Reviews      *db.ReviewStore
	Favourites   *db.FavouriteStore
	Messages     *db.MessageStore
	Doors        *db.DoorStore
	Closings     *db.ClosingStore
	Outbox       *db.OutboxStore
	Webhooks     *db.WebhookStore
	Payments     *db.PaymentStore
	PracticeBank *db.PracticeBankStore
}

// NewStores returns the stores of a database.
func NewStores(d *pg.Pool) Stores {
	return Stores{
		Catalog:      db.NewCatalog(d),
		Slots:        db.NewSlotStore(d),
		Stocks:       db.NewStockStore(d),
		Reservations: db.NewReservationStore(d),
		Waitlist:     db.NewWaitlistStore(d),
		Wallets:      db.NewWalletStore(d),
		Campaigns:    db.NewCouponStore(d),
		Users:        db.NewUserStore(d),
		Mails:        db.NewMailStore(d),
		Pushes:       db.NewPushStore(d),
		Texts:        db.NewTextStore(d),
		Audits:       db.NewAuditStore(d),
		Operator:     db.NewSeedStore(d),
		Drafts:       db.NewDraftStore(d),
		LineLogs:     db.NewLineLogStore(d),
		Setups:       db.NewSetupStore(d),
		Team:         db.NewTeamStore(d),
		Rehearsals:   db.NewRehearsalStore(d),
		Rules:        db.NewRulesStore(d),
		Reports:      db.NewReportStore(d),
		Guests:       db.NewGuestStore(d),
		Reviews:      db.NewReviewStore(d),
		Favourites:   db.NewFavouriteStore(d),
		Messages:     db.NewMessageStore(d),
		Doors:        db.NewDoorStore(d),
		Closings:     db.NewClosingStore(d),
		Outbox:       db.NewOutboxStore(d),
		Webhooks:     db.NewWebhookStore(d),
		Payments:     db.NewPaymentStore(d),
		PracticeBank: db.NewPracticeBankStore(d),
	}
}
