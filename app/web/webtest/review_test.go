package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/keyset"
	"lunchgo/app/program/programtest"
	"lunchgo/views"
)

// An operator reads what contradicts in a draft, what has changed since it was sent, and how diners would see it, and
// sends it back with a reason, which its owner reads in the set-up and in a letter, and can ask again.
func TestOperator_ReviewsADraftAndSendsItBack(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{NoDemo: true})
	owner, operator := r.diner(t, 0), r.operator(t)
	id := r.openDraft(t, owner)
	api, review, refuse := fmt.Sprintf("/api/staff/restaurants/%d", id), views.OperatorReviewURL(id),
		views.OperatorRefuseURL(id)
	reason := url.Values{views.FieldReason: {"주소를 적어 주세요"}}
	r.page(t, operator, review).is(t, 200).has(t, "영업 시간이 없습니다", "아직 공개를 요청하지 않았습니다").hasNot(t, refuse)
	r.send(t, operator, refuse, reason).is(t, 404) // nobody has asked
	r.opens(t, owner, api)
	r.post(t, owner, api+"/publication", "", nil).want(t, 200, "")
	r.page(t, operator, views.OperatorURL()).is(t, 200).has(t, "공개 요청", review)
	r.page(t, operator, review).is(t, 200).has(t, "주소가 없습니다", "손님에게 보일 모습", refuse).hasNot(t, "요청한 뒤에 바뀐 것")
	d := document{path: api + "/cancellation", as: owner}
	var rules map[string]any
	r.read(t, &d, &rules)
	rules["changeHours"] = 5
	r.write(t, d, rules).want(t, 200, "")
	r.page(t, operator, review).is(t, 200).has(t, "요청한 뒤에 바뀐 것", "취소 환불")

	r.page(t, owner, review).is(t, 403)
	r.send(t, owner, refuse, reason).is(t, 403)
	r.send(t, operator, refuse, url.Values{views.FieldReason: {"  "}}).is(t, 422).has(t, `aria-invalid="true"`)
	r.send(t, operator, refuse, url.Values{views.FieldReason: {strings.Repeat("가", 501)}}).is(t, 422).has(t, "가가가")
	r.send(t, operator, refuse, reason).is(t, 303).has(t, "돌려보냈습니다")
	for _, page := range []string{views.SetupURL(id), views.SetupPageURL(id, views.SetupPublish)} {
		r.page(t, owner, page).is(t, 200).has(t, "주소를 적어 주세요", "운영자가 돌려보냈습니다")
	}
	notes, err := r.Stores.Mails.TakeMails(t.Context(), 10)
	if err != nil || len(notes) != 1 || notes[0].Decision.Reason != "주소를 적어 주세요" ||
		notes[0].Decision.RestaurantID != id {
		t.Errorf("letters: %+v, %v", notes, err)
	}
	again := r.send(t, owner, views.SetupPageURL(id, views.SetupPublish), url.Values{}).is(t, http.StatusSeeOther)
	again.hasNot(t, "주소를 적어 주세요")
	if letters, err := r.Stores.Mails.ListMails(t.Context(), owner.id, keyset.Request{}); err != nil || len(letters.Items) != 1 ||
		letters.Items[0].Decision.Reason != "주소를 적어 주세요" {
		t.Errorf("the letter after the owner has asked again: %+v, %v", letters.Items, err)
	}
	if n := r.audited(t, "restaurant.refused"); n != 1 {
		t.Errorf("%d entries in the audit log", n)
	}
}
