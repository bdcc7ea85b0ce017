package api

import (
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

func TestPreferencesAreReadAndNonsenseIsIgnored(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]preferences{
		"":                                 {Wait: 2 * time.Second},
		"wait=0":                           {},
		"wait=10":                          {Wait: 10 * time.Second},
		`WAIT = "10" `:                     {Wait: 10 * time.Second},
		"wait=31":                          {Wait: 30 * time.Second},
		"wait=2147483647":                  {Wait: 30 * time.Second},
		"wait=99999999999999999999":        {Wait: 2 * time.Second},
		"wait=-1":                          {Wait: 2 * time.Second},
		"wait=1.5":                         {Wait: 2 * time.Second},
		"wait":                             {Wait: 2 * time.Second},
		";;,,=":                            {Wait: 2 * time.Second},
		"respond-async":                    {Async: true},
		"Respond-Async; foo=bar":           {Async: true},
		"respond-async, wait=5":            {Async: true, Wait: 5 * time.Second},
		"wait=5, respond-async":            {Async: true, Wait: 5 * time.Second},
		"handling=lenient, wait=3;x=\"y\"": {Wait: 3 * time.Second},
	} {
		request := &fasthttp.RequestCtx{}
		request.Request.Header.Set("Prefer", header)
		app := fiber.New()
		c := app.AcquireCtx(request)
		if got := readPreferences(c); got != want {
			t.Errorf("%q: %+v, want %+v", header, got, want)
		}
		app.ReleaseCtx(c)
	}
}
