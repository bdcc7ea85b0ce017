package db

// A guard names a statement that decides a race.
type guard string

const (
	lockSlots            guard = "lock the slots of a turn"
	lockUsers            guard = "lock the accounts of diners"
	readSlots            guard = "read the seats and lock the stock of locked slots"
	insertReservations   guard = "insert the reservations of a turn"
	lockSlotsOf          guard = "lock the slots of a reservation whose seats are free"
	lockReservation      guard = "lock a reservation"
	updateState          guard = "change a reservation's state"
	cancelReservation    guard = "cancel a reservation"
	takeDayCancellations guard = "take cancellations of closed days"
	lockMessages         guard = "lock the messages of a restaurant"
	insertMessage        guard = "store a message to guests"
	lockDoor             guard = "lock the queue at a restaurant's door"
	insertDoorParty      guard = "add a party to the queue at a door"
	lockDoorRow          guard = "lock a party at the door"
	updateDoorParty      guard = "take a step with a party at the door"
	claimDoorParty       guard = "claim a party at the door"
	insertRefund         guard = "note what staff give back"
	updateAttendance     guard = "mark a reservation, or take a mark back"
	expireHolds          guard = "expire holds"
	seeHolds             guard = "note that holds are seen"
	lockAccount          guard = "lock an account"
	updateAccount        guard = "change an account"
	lockCampaign         guard = "lock a campaign"
	insertClaims         guard = "insert the claims of a turn"
	lockClaims           guard = "lock claims"
	takeMails            guard = "take mails"
	takePushes           guard = "take pushes"
	lockSlotsOfChanges   guard = "lock the slots of a turn and those that its changes leave"
	lockChanging         guard = "lock the reservations that a turn changes"
	updateTerms          guard = "change reservations' terms"
	lockSlotsOfWaitlist  guard = "lock the slots of a waitlist"
	insertEntry          guard = "put a party on a waitlist"
	claimEntries         guard = "claim the entries of a waitlist"
	lockUser             guard = "lock a user whose account is deleted"
	checkUnused          guard = "look whether an account is unused"
	lockOwners           guard = "lock the owners of a restaurant"
	removeMemberships    guard = "remove a person from the staff"
	lockOwner            guard = "lock the user whom a letter goes to"
	insertLink           guard = "note a link and its letter"
	lockAddress          guard = "lock the address that a letter goes to"
	takeLink             guard = "take a link that came by mail"
	takeInvitation       guard = "take the invitation of the first operator"
	checkOperators       guard = "look for an operator who was made meanwhile"
	endIdentity          guard = "end a way in"
	findEarlierSlug      guard = "find whom an earlier slug leads to"
	lockOperators        guard = "let no two operators end each other"
	lockOpener           guard = "lock who opens a draft"
	insertDraft          guard = "open a draft"
	lockSteered          guard = "lock the slots that staff change"
	updateSteered        guard = "store what staff change of slots"
	lockRestaurant       guard = "lock a restaurant whose document is written"
	storeDocuments       guard = "store the documents of a restaurant"
	moveDishes           guard = "make room for another menu"
	insertEndpoint       guard = "add an endpoint of webhooks"
	lockMembers          guard = "lock the staff of a restaurant"
	updateMember         guard = "give a member another role"
	deleteMember         guard = "remove a member"
	lockInvited          guard = "lock the address that is invited"
	lockRehearsals       guard = "lock the rehearsals"
	insertRehearsal      guard = "begin a rehearsal"
	insertNote           guard = "write a note about a guest"
	lockConsent          guard = "lock the account of a guest whom staff note something of"
	writeReview          guard = "write the review of a visit"
	storeCompanions      guard = "store what companions say"
	lockSaver            guard = "lock the account of who saves a restaurant"
	insertFavourite      guard = "save a restaurant"
	lockIdentity         guard = "lock who somebody is at a provider"
	insertEntrant        guard = "make the account of whom a provider sends"

	takeInvitationByMail guard = "take an invitation to a team"
	lockComingSlots      guard = "lock the slots to come of a restaurant that stops"
	updateStop           guard = "stop a restaurant"
	unpublishRestaurant  guard = "take a restaurant off the public pages"
	insertBlocked        guard = "block seats"
	lockToBlockSeats     guard = "lock the slots in which seats are blocked"
	holdFeed             guard = "hold the feed of events, or wait for its holder"
	listWaiting          guard = "list the events that wait"
	announceAlone        guard = "count the seats of slots that sell out one process at a time"
	takeDeliveries       guard = "take deliveries of webhooks"
	markDelivery         guard = "mark a delivery of a webhook"
	lockMarked           guard = "lock the endpoint of a delivery that is marked"
	disableEndpoint      guard = "disable an endpoint of webhooks"
	movesPayment         guard = "take a step of a payment"
	lockRefunding        guard = "lock a payment of which the provider has made a refund"
	claimPayments        guard = "claim the due steps of payments"
	lockPaidChanges      guard = "lock the payments of changes in a turn"
	lockToBlockDays      guard = "keep slots from being made while seats of their day are blocked"
)

// A weakening returns another statement in place of the query of a guard.
type weakening func(g guard, query string) string

// guarded returns the statement that a guard stands for: query. A test takes the guard away by db.weaken, which returns
// a weaker statement, to show the race that the guard prevents. It may also hold the caller until a rival has come as
// far.
func (db *DB) guarded(g guard, query string) string {
	if weaken := db.weaken.Load(); weaken != nil {
		return (*weaken)(g, query)
	}
	return query
}
