package waiting

import (
	"strconv"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

// LineID is the public id of a line, safe in a URL: r12-2026-11-21-1900 for a slot, coupon-5 for a campaign. A joint
// line has that of its first slot.
func LineID(line locks.Name) string {
	partition := strings.ReplaceAll(line.Partition, ":", "-")
	if _, ok := CouponOf(line); ok {
		return partition
	}
	return partition + "-" + strings.ReplaceAll(firstLine(line).Key, ":", "")
}

// ParseLineID returns the line that an id names. Returns ErrUnknownTicket for any other text.
func ParseLineID(id string) (locks.Name, error) {
	line, ok := lineOfID(id)
	if !ok || LineID(line) != id { // there is one spelling of each
		return locks.Name{}, ErrUnknownTicket
	}
	return line, nil
}

func lineOfID(id string) (locks.Name, bool) {
	if campaign, ok := strings.CutPrefix(id, "coupon-"); ok {
		number, err := strconv.ParseInt(campaign, 10, 64)
		return LineOfCoupon(number), err == nil && number > 0
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
	return LineOf(slot), dateErr == nil && timeErr == nil
}

// firstLine is the line whose log tells of the tickets of a line: itself, of a joint one the first.
func firstLine(line locks.Name) locks.Name {
	return locks.Name{Partition: line.Partition, Key: line.Lines()[0]}
}
