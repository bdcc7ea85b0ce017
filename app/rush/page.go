package rush

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// pageEvery is how often the page is asked for.
const pageEvery = 100 * time.Millisecond

// page is a page that needs the database and has nothing to do with the rush: a wallet. Its times say what the rush
// leaves of the database for everybody else. The zero value asks for nothing.
type page struct {
	took    []time.Duration // of those that came, sorted once it has stopped
	refused int

	end func()
}

// ask asks for the page again and again until stop is called, also while earlier ones have not come.
func (p *page) ask(ctx context.Context, s server, token string) {
	var mu sync.Mutex
	var asking sync.WaitGroup
	client := &http.Client{Timeout: answerTime}
	stopping := make(chan struct{})
	one := func() {
		began := time.Now()
		came := isServed(ctx, client, s, token)
		mu.Lock()
		defer mu.Unlock()
		if came {
			p.took = append(p.took, time.Since(began))
		} else {
			p.refused++
		}
	}
	asking.Go(func() {
		ticker := time.NewTicker(pageEvery)
		defer ticker.Stop()
		for {
			asking.Go(one)
			select {
			case <-ticker.C:
			case <-stopping:
				return
			}
		}
	})
	p.end = func() {
		close(stopping)
		asking.Wait()
		client.CloseIdleConnections()
		slices.Sort(p.took)
	}
}

func (p *page) stop() {
	if p.end != nil {
		p.end()
	}
}

// isServed says whether a diner gets their wallet.
func isServed(ctx context.Context, client *http.Client, s server, token string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/api/wallet", nil)
	if err != nil {
		return false
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}
