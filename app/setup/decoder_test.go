package setup

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"lunchgo/app/picture"
	"lunchgo/app/refusal"
)

// Pictures share the memory for decoding: one that would take more than all of it is refused, and others wait, no
// longer than their requests.
func TestDecoder_StaysWithinItsMemory(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 300, 200)), nil); err != nil {
		t.Fatal(err)
	}
	weight, err := picture.Weigh(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	decoder := func(most int64) *Decoder {
		return &Decoder{slots: semaphore.NewWeighted(2), memory: semaphore.NewWeighted(most), most: most}
	}
	if _, err := decoder(weight-1).process(t.Context(), file.Bytes()); !errors.Is(err, picture.ErrTooBig) {
		t.Errorf("a picture of more than there is: %v", err)
	}
	d := decoder(weight)
	if _, err := d.process(t.Context(), file.Bytes()); err != nil {
		t.Errorf("a picture of as much as there is: %v", err)
	}
	if err := d.memory.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := d.process(ctx, file.Bytes()); !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("one that has to wait for another: %v", err)
	}
}
