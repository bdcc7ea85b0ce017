package webtest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web"
	"lunchgo/db/dbtest/measured"
)

// hotClients are so many programs that top the same wallet up, each over a connection of its own.
const hotClients = 64

var (
	hotWalletSizes  = map[string]int{"programs": hotClients}
	couponRushSizes = map[string]int{"diners": couponCrowd, "coupons": couponTotal}
)

func TestBenchmarks_HaveTheSizesShown(t *testing.T) {
	t.Parallel()
	for _, servers := range []string{"servers=1", "servers=2"} {
		measured.Hold(t, "hot-wallet/"+servers, hotWalletSizes)
		measured.Hold(t, "coupon-rush/"+servers, couponRushSizes)
	}
}

// BenchmarkHotWallet lets programs top one wallet up by different amounts under different keys, over HTTP, at one
// server process and at two. One operation is one top-up; none may be refused.
func BenchmarkHotWallet(b *testing.B) {
	for _, servers := range []int{1, 2} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			first := newHarnessWith(b, programtest.Setup{Config: program.Config{Web: web.Config{Limits: oneForMany}}})
			urls := []string{first.URL}
			for len(urls) < servers {
				urls = append(urls, first.twin(b).URL)
			}
			who := first.diner(b, 0)
			transport := &http.Transport{MaxIdleConnsPerHost: hotClients}
			defer transport.CloseIdleConnections()
			b.ResetTimer()
			took, failed := topUp(b, &http.Client{Transport: transport}, urls, who)
			b.StopTimer()
			measured.Log(b, fmt.Sprintf("hot-wallet/servers=%d", servers), hotWalletSizes, measured.Times(took, b.Elapsed()))
			if account, err := first.Stores.Wallets.Find(b.Context(), who.id); failed > 0 || err != nil ||
				account.Version != int64(b.N) {
				b.Fatalf("%d of %d failed; %+v, %v", failed, b.N, account, err)
			}
		})
	}
}

// topUp sends b.N charges and returns how long each took and how many were not answered with 201.
func topUp(b *testing.B, client *http.Client, urls []string, who person) (took []time.Duration, failed int64) {
	took = make([]time.Duration, b.N)
	var next, bad atomic.Int64
	var programs sync.WaitGroup
	for program := range hotClients {
		programs.Go(func() {
			for i := int(next.Add(1)) - 1; i < b.N; i = int(next.Add(1)) - 1 {
				began := time.Now()
				if status, err := topUpOnce(client, urls[program%len(urls)], who, i); err != nil ||
					status != http.StatusCreated {
					bad.Add(1)
				}
				took[i] = time.Since(began)
			}
		})
	}
	programs.Wait()
	return took, bad.Load()
}

func topUpOnce(client *http.Client, url string, who person, i int) (status int, err error) {
	body := fmt.Appendf(nil, `{"amount": %d}`, 1_000+i%100)
	request, err := http.NewRequest(http.MethodPost, url+"/api/wallet/charges", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+who.token)
	request.Header.Set("Idempotency-Key", fmt.Sprint("key-", i))
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}
