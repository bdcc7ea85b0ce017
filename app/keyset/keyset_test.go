package keyset

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestCursor_RoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []Cursor{
		{}, {Number: math.MaxInt64}, {Number: math.MinInt64}, {At: time.Date(2040, 5, 7, 19, 0, 0, 123_000, time.UTC), Number: 7},
	} {
		back, err := Parse(c.String())
		if err != nil || !back.At.Equal(c.At) || back.Number != c.Number {
			t.Errorf("%+v came back as %+v, %v", c, back, err)
		}
	}
}

func TestParse_Nonsense(t *testing.T) {
	t.Parallel()
	whole := Cursor{At: time.Now(), Number: 1}.String()
	tooFar := Cursor{At: time.UnixMicro(math.MaxInt64)}.String()
	for _, text := range []string{"", "x", "%00", "1", whole[1:], whole + "A", whole[:21] + "/", tooFar,
		"'; DROP TABLE slots; --"} {
		if _, err := Parse(text); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q was read: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Cursor{At: time.Now(), Number: 1}.String())
	f.Add("A0000000000000\n0000000A")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err == nil && c.String() != text {
			t.Errorf("%q was read as %q", text, c)
		}
	})
}

func TestSlice_PagesHaveNoGapAndNoRepeat(t *testing.T) {
	t.Parallel()
	var all []int64
	for n := range int64(120) {
		all = append(all, n)
	}
	key := func(n int64) Cursor { return Cursor{Number: n} }
	var seen []int64
	var sizes []int
	req := Request{}
	for {
		page := Slice(req, all, key)
		seen, sizes = append(seen, page.Items...), append(sizes, len(page.Items))
		if page.Next == "" {
			break
		}
		after, err := Parse(page.Next)
		if err != nil {
			t.Fatal(err)
		}
		req.After = &after
	}
	if len(sizes) != 3 || sizes[2] != 20 || len(seen) != len(all) {
		t.Fatalf("pages of %v", sizes)
	}
	for i := range seen {
		if seen[i] != all[i] {
			t.Fatalf("item %d is %d", i, seen[i])
		}
	}
}
