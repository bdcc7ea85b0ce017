package webtest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
)

// The crowd of BenchmarkCoupons, and what it comes for.
const (
	couponCrowd = 5_000
	couponTotal = 100
)

// BenchmarkCoupons lets a crowd ask for the coupons of a campaign at one moment over HTTP, everybody over a connection
// of their own, at one server process and at two. One operation is the whole crowd: exactly as many coupons as there
// are must be given, and everybody be answered.
func BenchmarkCoupons(b *testing.B) {
	for _, servers := range []int{1, 2} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			first := newHarness(b)
			urls := []string{first.URL}
			for len(urls) < servers {
				urls = append(urls, first.twin(b).URL)
			}
			crowd := first.crowd(b, couponCrowd)
			transport := &http.Transport{MaxIdleConnsPerHost: couponCrowd}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport, Timeout: time.Minute}
			warmUp(b, client, urls, crowd)
			var took []time.Duration
			b.ResetTimer()
			for i := range b.N {
				b.StopTimer()
				id := first.campaign(b, fmt.Sprint("rush-", i), couponTotal, time.Minute)
				took = append(took, askAtOnce(b, client, urls, couponRush{id, crowd})...)
				if after, err := first.Coupons.Find(b.Context(), id); err != nil || after.Issued != couponTotal {
					b.Fatalf("%d are given out: %v", after.Issued, err)
				}
			}
			b.StopTimer()
			times := measured.Times(took, b.Elapsed())
			times["s"] /= float64(b.N)
			times["served"], times["refused"] = couponTotal, couponCrowd-couponTotal
			measured.Log(b, fmt.Sprintf("coupon-rush/servers=%d", servers), couponRushSizes, times)
		})
	}
}

// crowd makes so many persons.
func (r *harness) crowd(t testing.TB, n int) []person {
	t.Helper()
	users, people := make([]identity.User, n), make([]person, n)
	for i := range users {
		id := rand.Text()
		users[i] = identity.User{ID: id, Email: id + "@example.org", Name: "손님", Phone: "010", PasswordHash: "!"}
		token, _ := r.Identity.Sessions.Issue(id)
		people[i] = person{id, token}
	}
	dbtest.Must(t, r.Stores.Seeds.CreateDiners(t.Context(), users, 0))
	return people
}

// warmUp opens everybody's connection.
func warmUp(b *testing.B, client *http.Client, urls []string, crowd []person) {
	b.Helper()
	var all sync.WaitGroup
	for i := range crowd {
		all.Go(func() {
			response, err := client.Get(urls[i%len(urls)] + "/healthz")
			if err != nil {
				b.Error(err)
				return
			}
			defer response.Body.Close()
			_, _ = io.Copy(io.Discard, response.Body) // else the connection is not kept
		})
	}
	all.Wait()
}

type couponRush struct {
	id    int64
	crowd []person
}

// askAtOnce has everybody ask, timed from the first press to the last answer, and returns how long each answer took.
// Every diner has to get a coupon or the answer that all are gone.
func askAtOnce(b *testing.B, client *http.Client, urls []string, rush couponRush) []time.Duration {
	b.Helper()
	took, codes := make([]time.Duration, len(rush.crowd)), make([]string, len(rush.crowd))
	start := make(chan struct{})
	var all sync.WaitGroup
	for i, who := range rush.crowd {
		request, err := http.NewRequestWithContext(b.Context(), http.MethodPost,
			fmt.Sprintf("%s/api/coupons/%d/claims", urls[i%len(urls)], rush.id), nil)
		dbtest.Must(b, err)
		request.Header.Set("Authorization", "Bearer "+who.token)
		request.Header.Set("Idempotency-Key", fmt.Sprint("key-", rush.id))
		request.Header.Set("Prefer", "wait=30")
		all.Go(func() {
			<-start
			began := time.Now()
			codes[i] = codeOf(client.Do(request))
			took[i] = time.Since(began)
		})
	}
	b.StartTimer()
	close(start)
	all.Wait()
	b.StopTimer()
	counts := map[string]int{}
	for _, code := range codes {
		counts[code]++
	}
	if counts["201 "] != couponTotal || counts["409 sold_out"] != len(codes)-couponTotal {
		b.Fatalf("answers: %v", counts)
	}
	return took
}

func codeOf(response *http.Response, err error) string {
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	var answer struct{ Code string }
	raw, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(response.StatusCode, " ", answer.Code)
}
