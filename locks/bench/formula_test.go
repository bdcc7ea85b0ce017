package main

import (
	"strings"
	"testing"
)

// What Redis counts is what the formulas say, to the command.
func TestFormulas_AreWhatRedisCounts(t *testing.T) {
	t.Parallel()
	err := onPrivateRedis(t.Context(), func(url string) error {
		for _, d := range designs {
			for _, n := range []int{1, 2, 7, 20} {
				got, err := d.measure(t.Context(), url, n)
				if err != nil {
					return err
				}
				want := d.predicted(n)
				if got != want {
					t.Errorf("%s, %d clients: %+v, want %+v", d.name, n, got, want)
				}
			}
		}
		var table strings.Builder
		if err := formulas(t.Context(), url, &table, []int{3}); err != nil {
			return err
		}
		if rows := strings.Count(table.String(), "\n"); rows != 2+1+len(designs) {
			t.Errorf("%d lines:\n%s", rows, table.String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
