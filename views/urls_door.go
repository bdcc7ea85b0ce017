package views

// StaffDoorURL adds a party to the queue at the door, whose tab has the same address. POST: fields Party, Name, Phone,
// IdempotencyKey; 303 to the party, 409 and 422 render the tab again.
func StaffDoorURL(restaurant int64) string {
	return staffRestaurantURL(restaurant) + "/" + string(TabDoor)
}

// StaffDoorPartyURL is a party at the door, with the code that leads its phone to its place. GET: staff.DoorParty.
func StaffDoorPartyURL(restaurant int64, party string) string {
	return StaffDoorURL(restaurant) + "/" + party
}

// StaffDoorStepURL takes a step with a party at the door. POST: field Next; 303 to there.
func StaffDoorStepURL(restaurant int64, party, step string) string {
	return StaffDoorPartyURL(restaurant, party) + "/" + step
}

// Steps with a party at the door: parts of addresses and of keys of the catalogue.
const (
	DoorCall = "call"
	DoorGone = "gone"
	DoorBack = "back" // it waits again
	DoorSeat = "seat" // fields Seat, EndTime and Next
)

// DoorURL is a party's place in the queue at a door. GET: pages.Door.
func DoorURL(token string) string { return "/door/" + token }

// DoorEventsURL streams the place: event "door" carries pages.DoorStatus whenever it looks different, then one "done".
func DoorEventsURL(token string) string { return DoorURL(token) + "/events" }

// DoorNotifyURL has the party notified when it is called. POST: of a subscribed browser fields Endpoint, P256dh, Auth
// and PushKey; 204. Of who is signed in none; 303 to its page.
func DoorNotifyURL(token string) string { return DoorURL(token) + "/notify" }

// LeaveDoorURL has the party leave the queue. POST: 303 to its page.
func LeaveDoorURL(token string) string { return DoorURL(token) + "/leave" }
