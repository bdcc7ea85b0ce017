// Package setup holds what the staff of a restaurant decide before an evening begins. The documents of this package are
// written as a whole: who writes one names the version that they saw, and is refused when somebody has changed it
// since.
package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/app/team"
)

// Errors of documents.
var (
	ErrChanged = refusal.ChangedMeanwhile.Because("setup: the document has changed since it was read")
	ErrNoTag   = refusal.New(refusal.Unconditional, "precondition_required",
		"setup: a document is written over a version that the writer has seen")
)

// Tag names the version of a document: a hash of its JSON, in quotes as an ETag is.
func Tag(document any) (string, error) {
	text, err := json.Marshal(document)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return `"` + hex.EncodeToString(sum[:16]) + `"`, nil
}

// Write says who writes a document of which restaurant, over which version.
type Write struct {
	StaffID      string
	RestaurantID int64
	Tag          string
}

// Check returns ErrNoTag without a version, and ErrChanged when the stored document is another one.
func (w Write) Check(stored any) error {
	if w.Tag == "" {
		return ErrNoTag
	}
	tag, err := Tag(stored)
	if err == nil && tag != w.Tag {
		err = ErrChanged
	}
	return err
}

// by returns the write on behalf of a member of staff, whose role must have a right. Returns ErrNoTag without a
// version.
func (w Write) by(staff team.Staff, right team.Action) (Write, error) {
	err := staff.Check(w.RestaurantID, right)
	if err == nil && w.Tag == "" {
		err = ErrNoTag
	}
	w.StaffID = staff.UserID()
	return w, err
}

// Contents are the use cases of what is in a restaurant: its menu, pictures, seats and coupons.
type Contents struct {
	Store   ContentStore
	Decoder *Decoder
	Now     func() time.Time
}
