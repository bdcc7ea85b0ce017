package setup_test

import (
	"errors"
	"fmt"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/picture"
	contents "lunchgo/app/setup"
	dbsetup "lunchgo/db/setup"
	"lunchgo/db/testkit"
)

func addPicture(t testing.TB, h *testkit.Harness, n int, staff string) (string, error) {
	t.Helper()
	u := contents.Upload{Hash: fmt.Sprintf("%064x", n), RestaurantID: h.Restaurant.ID, StaffID: staff,
		Picture: picture.Picture{Large: picture.Encoded{JPEG: []byte("large"), WebP: []byte("LARGE")},
			Small: picture.Encoded{JPEG: []byte("small")}, Width: 3, Height: 2}}
	return u.Hash, dbsetup.NewContentStore(h.Pool).AddPicture(t.Context(), u)
}

// Who prefers a WebP gets it, if the picture has one.
func TestFindPicture_AsItsReaderPrefers(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	hash, err := addPicture(t, h, 1, h.Diners(t, 1, 0)[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		small, preferWebP bool
		want              string
	}{{false, false, "large"}, {false, true, "LARGE"}, {true, false, "small"}, {true, true, "small"}} {
		got, err := dbsetup.NewContentStore(h.Pool).FindPicture(t.Context(), hash, c.small, c.preferWebP)
		if err != nil || string(got) != c.want {
			t.Errorf("small %v, WebP %v: %q, %v", c.small, c.preferWebP, got, err)
		}
	}
}

// A picture that nothing shows is deleted when the restaurant uploads another one a day later; so is none that a dish
// has, on the menu or off it, or the restaurant, alone or in its gallery.
func TestAddPicture_DeletesOrphansAndCounts(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	staff := h.Diners(t, 1, 0)[0]
	var hashes []string
	for n := range 6 {
		hash, err := addPicture(t, h, n, staff)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
	}
	h.MustExec(t, `UPDATE pictures SET created_at = now() - interval '25 hours' WHERE hash <> $1`, hashes[4])
	h.MustExec(t, `UPDATE restaurants SET photos = jsonb_build_array('table', $2::text) WHERE id = $1`, h.Restaurant.ID,
		hashes[5])
	h.MustExec(t, `UPDATE restaurants SET picture = $2 WHERE id = $1`, h.Restaurant.ID, hashes[0])
	putMenu(t, h, func(m *contents.Menu) {
		m.Items[0].Picture, m.Items[1].Picture, m.Items[1].Retired = hashes[1], hashes[2], true
	})
	if _, err := addPicture(t, h, 9, staff); err != nil {
		t.Fatal(err)
	}
	s := dbsetup.NewContentStore(h.Pool)
	for i, hash := range hashes {
		large, err := s.FindPicture(t.Context(), hash, false, false)
		if gone := errors.Is(err, booking.ErrNotFound); gone != (i == 3) || !gone && string(large) != "large" {
			t.Errorf("picture %d: %q %v", i, large, err)
		}
	}
	h.MustExec(t, `
		INSERT INTO pictures (hash, restaurant_id, large, small, width, height, created_by)
		SELECT md5(n::text) || md5(n::text), $1, '', '', 1, 1, $2 FROM generate_series(1, 294) n`,
		h.Restaurant.ID, staff)
	if _, err := addPicture(t, h, 10, staff); !errors.Is(err, contents.ErrTooManyPictures) {
		t.Errorf("picture 301: %v", err)
	}
}
