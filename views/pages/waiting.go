package pages

import (
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// mostDots is how many people ahead are drawn as dots.
const mostDots = 10

func shownAhead(s views.WaitingStatus) int { return min(s.Ahead(), mostDots) }

// from is the position that the progress counts from.
func from(s views.WaitingStatus) int { return max(s.FirstPosition, s.Position) }

var oddsKeys = map[views.Odds]string{
	views.OddsGood: "odds.good",
	views.OddsFair: "odds.fair",
	views.OddsPoor: "odds.poor",
	views.OddsNone: "odds.none",
}

// oddsFigures sets the seats left against the people ahead.
func oddsFigures(s views.WaitingStatus) string {
	return i18n.T(s.Lang, "odds.seats", "Count", s.SeatsLeft) + " · " +
		i18n.T(s.Lang, "odds.ahead", "Count", s.Ahead())
}

func aheadText(s views.WaitingStatus) string {
	if s.Ahead() == 0 {
		return i18n.T(s.Lang, "waiting.nobody_ahead")
	}
	return i18n.T(s.Lang, "waiting.ahead", "Count", s.Ahead())
}

// ordinalKey is the catalogue's key of what follows a position's number: 번째; st, nd, rd, th.
func ordinalKey(n int) string {
	if n%100 >= 11 && n%100 <= 13 {
		return "ordinal.th"
	}
	switch n % 10 {
	case 1:
		return "ordinal.st"
	case 2:
		return "ordinal.nd"
	case 3:
		return "ordinal.rd"
	}
	return "ordinal.th"
}
