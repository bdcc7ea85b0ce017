package i18n_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"lunchgo/views/i18n"
)

func TestWon(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount  int64
		ko, en  string
		sko, sn string
	}{
		{0, "0원", "₩0", "0원", "₩0"},
		{999, "999원", "₩999", "+999원", "+₩999"},
		{12_000, "12,000원", "₩12,000", "+12,000원", "+₩12,000"},
		{-1_234_567, "−1,234,567원", "−₩1,234,567", "−1,234,567원", "−₩1,234,567"},
	} {
		got := []string{i18n.Won("ko", test.amount), i18n.Won("en", test.amount),
			i18n.SignedWon("ko", test.amount), i18n.SignedWon("en", test.amount)}
		if want := []string{test.ko, test.en, test.sko, test.sn}; !slices.Equal(got, want) {
			t.Errorf("%d: got %q, want %q", test.amount, got, want)
		}
	}
}

func TestDatesAndTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 19, 5, 0, 0, time.UTC)
	now := time.Now().UTC()
	thisYear, nextYear := time.Date(now.Year(), 11, 21, 19, 5, 0, 0, time.UTC), time.Date(now.Year()+1, 1, 2, 19, 5, 0, 0, time.UTC)
	year := strconv.Itoa(nextYear.Year())
	ko, en := "("+i18n.Weekday("ko", thisYear.Weekday())+")", i18n.Weekday("en", thisYear.Weekday())
	koNext, enNext := "("+i18n.Weekday("ko", nextYear.Weekday())+")", i18n.Weekday("en", nextYear.Weekday())
	noon, midnight := at.Add(-7*time.Hour-5*time.Minute), at.Add(-19*time.Hour-5*time.Minute)
	for _, test := range []struct{ got, want string }{
		{i18n.Date("ko", thisYear), "11월 21일 " + ko},
		{i18n.Date("en", thisYear), en + ", 21 Nov"},
		{i18n.Date("ko", nextYear), year + "년 1월 2일 " + koNext},
		{i18n.Date("en", nextYear), enNext + ", 2 Jan " + year},
		{i18n.LongDate("ko", at), "2026년 11월 21일 (토)"},
		{i18n.LongDate("en", at), "Sat, 21 Nov 2026"},
		{i18n.Month("ko", at), "2026년 11월"},
		{i18n.Month("en", at), "November 2026"},
		{i18n.Time("ko", at), "오후 7:05"},
		{i18n.Time("en", at), "7:05 PM"},
		{i18n.Time("ko", noon), "오후 12:00"},
		{i18n.Time("ko", midnight), "오전 12:00"},
		{i18n.DateTime("ko", thisYear), "11월 21일 " + ko + " 오후 7:05"},
		{i18n.DateTime("en", thisYear), en + ", 21 Nov, 7:05 PM"},
		{i18n.DateTime("ko", nextYear), year + "년 1월 2일 " + koNext + " 오후 7:05"},
		{i18n.DateTime("en", nextYear), enNext + ", 2 Jan " + year + ", 7:05 PM"},
		{i18n.Weekday("ko", time.Sunday), "일"},
		{i18n.Weekday("en", time.Sunday), "Sun"},
		{i18n.Clock("ko", "21:30"), "오후 9:30"},
		{i18n.Clock("ko", "late"), "late"},
		{i18n.Clocks("ko", "17:00", "21:30"), "오후 5:00–9:30"},
		{i18n.Clocks("en", "11:30", "14:00"), "11:30 AM–2:00 PM"},
		{i18n.Clocks("en", "19:00", "19:00"), "7:00 PM"},
		{i18n.Clocks("en", "19:00", "late"), "19:00–late"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		d      time.Duration
		ko, en string
	}{
		{-time.Minute, "잠시 후", "in a moment"},
		{0, "잠시 후", "in a moment"},
		{11 * time.Second, "약 20초", "about 20 seconds"},
		{59 * time.Second, "약 60초", "about 60 seconds"},
		{time.Minute, "약 1분", "about 1 min"},
		{170 * time.Second, "약 3분", "about 3 min"},
		{59*time.Minute + 30*time.Second, "약 60분", "about 60 min"},
		{time.Hour, "약 1시간", "about 1 hour"},
		{2 * time.Hour, "약 2시간", "about 2 hours"},
		{65 * time.Minute, "약 1시간 5분", "about 1 h 5 min"},
	} {
		if ko, en := i18n.Duration("ko", test.d), i18n.Duration("en", test.d); ko != test.ko || en != test.en {
			t.Errorf("%v: got %q and %q, want %q and %q", test.d, ko, en, test.ko, test.en)
		}
	}
}

func TestDurationRange(t *testing.T) {
	t.Parallel()
	second := time.Second
	for _, test := range []struct {
		low, high time.Duration
		ko, en    string
	}{
		{0, 0, "잠시 후", "in a moment"},
		{2 * second, 9 * second, "잠시 후", "in a moment"},
		{0, 20 * second, "최대 20초", "up to 20 seconds"},
		{15 * second, 35 * second, "15~35초", "15–35 seconds"},
		{40 * second, 110 * second, "40초~2분", "40 seconds–2 min"},
		{119 * second, 190 * second, "1~4분", "1–4 min"},
		{0, 150 * second, "최대 3분", "up to 3 min"},
		{50 * time.Minute, 70 * time.Minute, "50분~1시간 10분", "50 min–1 h 10 min"},
		{2 * time.Hour, 3 * time.Hour, "2시간~3시간", "2 hours–3 hours"},
	} {
		ko, en := i18n.DurationRange("ko", test.low, test.high), i18n.DurationRange("en", test.low, test.high)
		if ko != test.ko || en != test.en {
			t.Errorf("%v to %v: got %q and %q, want %q and %q", test.low, test.high, ko, en, test.ko, test.en)
		}
	}
}

func TestPartyAndNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ got, want string }{
		{i18n.Party("ko", 2), "2명"},
		{i18n.Party("en", 1), "1 person"},
		{i18n.Party("en", 2), "2 people"},
		{i18n.Number(1204), "1,204"},
		{i18n.Number(-7), "−7"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}
