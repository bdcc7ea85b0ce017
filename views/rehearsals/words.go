package rehearsals

import (
	"fmt"
	"strings"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// figure is a number that an owner looks for first.
type figure struct{ label, value, note string }

func figures(r views.RehearsalLive) []figure {
	t := func(key string, args ...any) string { return i18n.T(r.Lang, "rehearsal_figure."+key, args...) }
	all := []figure{
		{t("seated"), t("of", "Part", r.Seated, "Whole", r.Guests), t("seats", "Taken", r.Taken, "Seats", r.Seats)},
		{t("wait"), seconds(r.Lang, r.MedianMs), t("p95", "Seconds", seconds(r.Lang, r.P95Ms))},
	}
	if name, after := firstGone(r); name != "" {
		all = append(all, figure{t("gone"), name, t("after", "Seconds", seconds(r.Lang, after))})
	}
	if r.EstimatePercent >= 0 {
		all = append(all, figure{t("estimate"), t("percent", "Percent", r.EstimatePercent), t("right")})
	}
	return all
}

// firstGone is what was sold out first, and after how many milliseconds: a dish or the seats; empty if nothing was.
func firstGone(r views.RehearsalLive) (name string, after int64) {
	switch {
	case len(r.Dishes) > 0 && (r.SoldOut == 0 || r.Dishes[0].AfterMs <= r.SoldOutMs):
		return r.Dishes[0].Name.In(r.Lang), r.Dishes[0].AfterMs
	case r.SoldOut > 0:
		return i18n.T(r.Lang, "rehearsal_figure.all_seats"), r.SoldOutMs
	}
	return "", 0
}

// verdict is what an owner wants to know first, in one sentence, and whether it is good news. A guest without a clear
// answer, a seat that is sold twice and a guest who is overtaken are each a reason for no.
func verdict(r views.RehearsalLive) (sentence string, ready bool) {
	say := func(key string, args ...any) string { return i18n.T(r.Lang, "rehearsal_verdict."+key, args...) }
	switch {
	case r.Broken:
		return say("unfinished"), false
	case r.Oversold > 0:
		return say("oversold", "Count", r.Oversold), false
	case r.OrderInversions > 0:
		return say("overtaken", "Count", r.OrderInversions), false
	case r.Failed > 0:
		return say("failed", "Count", r.Failed, "Of", r.Guests), false
	}
	return say("ready", "Count", r.Answered, "Seconds", seconds(r.Lang, r.TookMs)), true
}

// sentences say what the guests lived through; what did not happen is left out.
func sentences(r views.RehearsalLive) []string {
	var all []string
	say := func(key string, args ...any) { all = append(all, i18n.T(r.Lang, "rehearsal."+key, args...)) }
	if r.SoldOut > 0 {
		say("sold_out", "Count", r.SoldOut, "After", seconds(r.Lang, r.SoldOutMs))
	}
	if len(r.Dishes) > 0 {
		var names []string
		for _, dish := range r.Dishes {
			names = append(names, i18n.T(r.Lang, "rehearsal.dish", "Name", dish.Name.In(r.Lang), "After",
				seconds(r.Lang, dish.AfterMs)))
		}
		say("dishes", "Dishes", strings.Join(names, ", "))
	}
	if r.Rechosen > 0 {
		say("rechosen", "Count", r.Rechosen)
	}
	say("waits", "First", seconds(r.Lang, r.FirstMs), "Last", seconds(r.Lang, r.LastMs))
	if r.LongestLine > 0 {
		say("longest", "Count", r.LongestLine)
	}
	if r.Left > 0 {
		say("left", "Count", r.Left)
	}
	if r.Slowed {
		say("slowed")
	}
	if r.Oversold > 0 || r.OrderInversions > 0 {
		say("broken", "Oversold", r.Oversold, "Inversions", r.OrderInversions)
	}
	if r.Failed > 0 {
		say("failed", "Count", r.Failed)
	}
	return all
}

func seconds(lang string, ms int64) string {
	return i18n.T(lang, "rehearsal.seconds", "Seconds", fmt.Sprintf("%.1f", float64(ms)/1000))
}

// chart is values by tenths of a time of so many milliseconds.
func chart(r views.RehearsalLive, name string, values []int, length int64) views.BarChart {
	t := func(key string, args ...any) string { return i18n.T(r.Lang, "rehearsal_chart."+name+key, args...) }
	c := views.BarChart{Lang: r.Lang, ID: "rehearsal-" + name, Title: t("_title"), Of: t("_of"), Unit: t("_unit")}
	most := 0
	for i, value := range values {
		from := seconds(r.Lang, length*int64(i)/int64(len(values)))
		to := seconds(r.Lang, length*int64(i+1)/int64(len(values)))
		c.Bars = append(c.Bars, views.Bar{Label: i18n.T(r.Lang, "rehearsal_chart.span", "From", from, "To", to),
			Tick: fmt.Sprintf("%.1f", float64(length)*float64(i)/float64(len(values))/1000), Value: value,
			Text: i18n.Number(value)})
		if value > values[most] {
			most = i
		}
	}
	if len(values) > 0 {
		c.Description = t("_text", "Most", values[most], "Span", c.Bars[most].Label)
	}
	return c
}
