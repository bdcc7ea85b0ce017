package i18n_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"lunchgo/views/i18n"
)

// plural are the words by which a table is a text in several forms, not a group of texts.
var plural = []string{"zero", "one", "two", "few", "many", "other"}

// keys are all keys of a language's catalogues.
func keys(t *testing.T, lang string) []string {
	t.Helper()
	all := map[string]bool{}
	files, err := filepath.Glob("*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, lang+".toml") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var table map[string]any
		if err := toml.Unmarshal(content, &table); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		collect("", table, all)
	}
	return slices.Sorted(maps.Keys(all))
}

func collect(prefix string, table map[string]any, all map[string]bool) {
	for name, value := range table {
		group, ok := value.(map[string]any)
		if !ok || slices.ContainsFunc(plural, func(form string) bool { return group[form] != nil }) {
			all[prefix+name] = true
			continue
		}
		collect(prefix+name+".", group, all)
	}
}

func TestCatalogues_HaveTheSameKeys(t *testing.T) {
	t.Parallel()
	korean, english := keys(t, i18n.Korean), keys(t, i18n.English)
	if len(korean) <= 200 {
		t.Fatalf("%d keys, want more than 200", len(korean))
	}
	for _, key := range missing(english, korean) {
		t.Errorf("no text for %s in %s", key, i18n.Korean)
	}
	for _, key := range missing(korean, english) {
		t.Errorf("no text for %s in %s", key, i18n.English)
	}
}

// missing returns the keys of one language that another lacks. Both are sorted.
func missing(of, in []string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(key string) bool {
		_, found := slices.BinarySearch(in, key)
		return found
	})
}

// Each text is asked for with a number, as one with a plural is; one and many must both have a form.
func TestCatalogues_HaveEachPluralForm(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{i18n.Korean, i18n.English} {
		for _, key := range keys(t, lang) {
			if !i18n.Has(lang, key) {
				t.Errorf("no text for %s in %s", key, lang)
			}
			if asksForCount(t, lang, key) {
				for _, count := range []int{0, 1, 2, 5} {
					text := i18n.T(lang, key, "Count", count)
					if text == key {
						t.Errorf("no text for %s with %d in %s", key, count, lang)
					}
				}
			}
		}
	}
}

func asksForCount(t *testing.T, lang, key string) bool {
	t.Helper()
	return strings.Contains(i18n.T(lang, key, "Count", 7_654_321), "7654321")
}

func TestT(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ got, want string }{
		{i18n.T("ko", "nav.reservations"), "내 예약"},
		{i18n.T("en", "nav.reservations"), "Bookings"},
		{i18n.T("en", "waiting.ahead", "Count", 1), "1 party is ahead of you"},
		{i18n.T("en", "waiting.ahead", "Count", 9), "9 parties are ahead of you"},
		{i18n.T("ko", "waiting.ahead", "Count", 9), "앞에 9팀이 있습니다"},
		{i18n.T("fr", "nav.reservations"), "내 예약"},     // an unknown language reads as Korean
		{i18n.T("en", "no.such_text"), "no.such_text"}, // a missing text shows its key
		{i18n.T("ko", "no.such_text", "Count", 2), "no.such_text"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestLang(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ cookie, accept, want string }{
		{"", "", "ko"},
		{"", "en-US,en;q=0.9,ko;q=0.8", "en"},
		{"", "ko-KR,ko;q=0.9,en;q=0.8", "ko"},
		{"", "fr-FR,fr;q=0.9", "ko"},
		{"", "fr-FR,en;q=0.5", "en"},
		{"", "*", "ko"},
		{"", ";;;=garbage", "ko"},
		{"ko", "en", "ko"},
		{"en", "ko", "en"},
		{"xx", "en", "en"},
	} {
		if got := i18n.Lang(test.cookie, test.accept); got != test.want {
			t.Errorf("%+v: got %q, want %q", test, got, test.want)
		}
	}
}

func BenchmarkT(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			i18n.T("ko", "waiting.position")
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			i18n.T("ko", "waiting.ahead", "Count", 9)
		}
	})
}

func TestLanguageOf_TellsByTheLetters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"맛있어요": i18n.Korean, "Pho, 진짜": i18n.Korean, "Lovely room.": i18n.English, "5/5 👍": "", "": ""} { // in any order
		if got := i18n.LanguageOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
