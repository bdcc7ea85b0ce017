package views_test

import "testing"

// Whoever sends a form by mistake begins where it is wrong: at the list of what is, or at the first field, with what is
// said of it in sight.
func TestForms_BeginWhereTheyAreWrong(t *testing.T) {
	t.Parallel()
	s, b := newSite(t), newTab(t)
	failed := failures(b.ctx)
	const inSight = `((element) => {
		const box = element?.getBoundingClientRect()
		return box !== undefined && box.top >= 0 && box.bottom <= innerHeight
	})`
	for _, page := range []string{"team-errors", "webhooks-list", "staff-reviews-errors"} {
		b.open(s.URL + "/ko/" + page)
		b.until(`document.activeElement === document.querySelector("[aria-invalid=true]") &&
			` + inSight + `(document.activeElement) && ` + inSight + `(document.querySelector(".field-error"))`)
	}
	for _, page := range []string{"setup-picture-errors", "setup-seats-errors"} {
		b.open(s.URL + "/ko/" + page)
		b.until(`document.activeElement.matches(".notice-danger") &&
			document.activeElement.getBoundingClientRect().top >= 0`)
	}
	none(t, "script errors", failed())
}
