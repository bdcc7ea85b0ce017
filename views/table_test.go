package views_test

import "testing"

// A press on a table of the map, or on its name in the list, opens what can be done there over the board, and closing
// it leads back to where it was.
func TestTable_OpensOverTheRoom(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	failed := failures(b.ctx)
	s.route("/staff/restaurants/1/tables/1", "/ko/staff-table")
	s.route("/staff/restaurants/1/tables/2", "/ko/staff-table-free")
	b.open(s.URL + "/ko/staff-evening-room")
	b.until(`"htmx" in window && document.querySelector("#table-1 .table-label a") !== null`)
	b.click("[data-room] [data-seat='1']")
	b.until(`document.querySelector("#table-dialog").open`)
	b.until(`document.querySelector("#table-dialog h1").textContent.includes("C1")`)
	b.until(`document.activeElement.closest("#table-dialog") !== null`)
	b.until(`!document.querySelector("#table-dialog .eyebrow")`)
	b.click("#table-dialog [autofocus]")
	b.until(`!document.querySelector("#table-dialog").open`)
	b.run(`const link = document.querySelector("#table-2 .table-label a"); link.focus(); link.click()`)
	b.until(`document.querySelector("#table-dialog").open && document.querySelector("#table-walk-in") !== null`)
	b.click("#table-dialog [autofocus]")
	b.until(`document.activeElement === document.querySelector("#table-2 .table-label a")`)
	none(t, "script errors", failed())
}
