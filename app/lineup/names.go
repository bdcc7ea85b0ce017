// Package lineup has the lines of the product: which line a slot, a stay or a campaign has, what a request in it is,
// and who serves it when its turn has come. The waiting room keeps the lines and knows none of this.
package lineup

import (
	"fmt"
	"strconv"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// couponPartition begins the partitions of campaigns, each of which has one line.
const couponPartition = "coupon:"

// OfSlot is the line of a slot. All slots of one restaurant and date share a partition.
func OfSlot(slot booking.SlotKey) locks.Name {
	return locks.Name{
		Partition: fmt.Sprintf("r%d:%s", slot.RestaurantID, slot.Date),
		Key:       string(slot.Time),
	}
}

// OfStay is the line of the slots of one restaurant and date for which a party stays: the slot's own line, or
// the joint one of several, in which a ticket stands in the lines of all of them.
func OfStay(slots []booking.SlotKey) locks.Name {
	keys := make([]string, len(slots))
	for i, slot := range slots {
		keys[i] = string(slot.Time)
	}
	return locks.JointName(OfSlot(slots[0]).Partition, keys)
}

// SlotsOf are the slots, in order, of a line that OfSlot or OfStay named. Returns waiting.ErrUnknownTicket for any
// other.
func SlotsOf(line locks.Name) ([]booking.SlotKey, error) {
	restaurant, date, _ := strings.Cut(strings.TrimPrefix(line.Partition, "r"), ":")
	id, err := strconv.ParseInt(restaurant, 10, 64)
	if err != nil || date == "" {
		return nil, waiting.ErrUnknownTicket
	}
	var slots []booking.SlotKey
	for _, key := range line.Lines() {
		slots = append(slots, booking.SlotKey{RestaurantID: id, Date: booking.Date(date), Time: booking.TimeOfDay(key)})
	}
	return slots, nil
}

// OfCampaign is the line of a campaign.
func OfCampaign(id int64) locks.Name {
	return locks.Name{Partition: couponPartition + strconv.FormatInt(id, 10), Key: "claims"}
}

// CampaignOf is the campaign of a line that OfCampaign named; false for any other line.
func CampaignOf(line locks.Name) (id int64, ok bool) {
	number, ok := strings.CutPrefix(line.Partition, couponPartition)
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseInt(number, 10, 64)
	return id, err == nil
}

// ids gives lines their public ids; it implements waiting.LineIDs.
type ids struct{}

// LineID is the public id of a line, safe in a URL: r12-2026-11-21-1900 for a slot, coupon-5 for a campaign. A joint
// line has that of its first slot.
func (ids) LineID(line locks.Name) string {
	partition := strings.ReplaceAll(line.Partition, ":", "-")
	if _, ok := CampaignOf(line); ok {
		return partition
	}
	return partition + "-" + strings.ReplaceAll(line.First().Key, ":", "")
}

// ParseLineID returns the line that an id names. Returns waiting.ErrUnknownTicket for any other text.
func (n ids) ParseLineID(id string) (locks.Name, error) {
	line, ok := lineOfID(id)
	if !ok || n.LineID(line) != id { // there is one spelling of each
		return locks.Name{}, waiting.ErrUnknownTicket
	}
	return line, nil
}

func lineOfID(id string) (locks.Name, bool) {
	if campaign, ok := strings.CutPrefix(id, "coupon-"); ok {
		number, err := strconv.ParseInt(campaign, 10, 64)
		return OfCampaign(number), err == nil && number > 0
	}
	restaurant, moment, _ := strings.Cut(strings.TrimPrefix(id, "r"), "-")
	number, err := strconv.ParseInt(restaurant, 10, 64)
	last := strings.LastIndexByte(moment, '-')
	if err != nil || number <= 0 || last < 0 || len(moment)-last != len("-1900") {
		return locks.Name{}, false
	}
	clock := moment[last+1:]
	date, dateErr := booking.ParseDate(moment[:last])
	at, timeErr := booking.ParseTimeOfDay(clock[:2] + ":" + clock[2:])
	slot := booking.SlotKey{RestaurantID: number, Date: date, Time: at}
	return OfSlot(slot), dateErr == nil && timeErr == nil
}
