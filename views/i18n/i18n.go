// Package i18n holds every text of the pages in Korean and English, and formats money, dates and numbers of people
// for a language. A language is "ko" or "en" throughout; anything else reads as Korean.
package i18n

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Languages of the catalogues.
const (
	Korean  = "ko"
	English = "en"
)

// Languages are all of them, the one for whoever reads none of them first.
var Languages = [...]string{Korean, English}

// catalogues are named by language, "ko.toml", or by what they hold and language, "errors.ko.toml".
//
//go:embed *.toml
var catalogues embed.FS

// The first text builds the localizers.
var localizers = sync.OnceValue(func() map[string]*goi18n.Localizer {
	bundle := goi18n.NewBundle(language.Korean)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	all := map[string]*goi18n.Localizer{}
	names, err := fs.Glob(catalogues, "*.toml")
	if err != nil {
		panic("i18n: embedded catalogues: " + err.Error())
	}
	for _, name := range names {
		if _, err := bundle.LoadMessageFileFS(catalogues, name); err != nil {
			panic("i18n: embedded catalogue " + name + ": " + err.Error())
		}
	}
	for _, lang := range Languages {
		all[lang] = goi18n.NewLocalizer(bundle, lang)
	}
	return all
})

// plain caches texts without arguments: the waiting page asks for them for every diner and tick.
var plain sync.Map

type plainKey struct{ lang, key string }

// T is the text of a key in a language. args are name, value pairs for the text's {{.Name}} places; the one named
// "Count" also chooses between singular and plural. T returns an unknown key as it is, so that a page with a
// missing text still renders.
func T(lang, key string, args ...any) string {
	if len(args) > 0 {
		return filled.fill(lang, key, args)
	}
	if text, ok := plain.Load(plainKey{lang, key}); ok {
		return text.(string)
	}
	text := localize(lang, key, nil)
	if text != key {
		plain.Store(plainKey{lang, key}, text)
	}
	return text
}

// Has returns whether a language's catalogue holds a key.
func Has(lang, key string) bool {
	text, _, err := localizers()[lang].LocalizeWithTag(&goi18n.LocalizeConfig{MessageID: key, PluralCount: 2})
	return err == nil && text != ""
}

func localize(lang, key string, args []any) string {
	localizer, ok := localizers()[lang]
	if !ok {
		localizer = localizers()[Korean]
	}
	config := &goi18n.LocalizeConfig{MessageID: key}
	if len(args) > 0 {
		data := make(map[string]any, len(args)/2)
		for i := 0; i+1 < len(args); i += 2 {
			data[args[i].(string)] = args[i+1]
		}
		config.TemplateData = data
		config.PluralCount = data["Count"]
	}
	text, err := localizer.Localize(config)
	if err != nil {
		return key
	}
	return text
}

// Keys lists what follows a prefix in the keys of the catalogues, ascending.
func Keys(prefix string) []string {
	bundle := goi18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	names, err := fs.Glob(catalogues, "*"+English+".toml")
	if err != nil {
		panic("i18n: embedded catalogues: " + err.Error())
	}
	var keys []string
	for _, name := range names {
		file, err := bundle.LoadMessageFileFS(catalogues, name)
		if err != nil {
			panic("i18n: embedded catalogue " + name + ": " + err.Error())
		}
		for _, message := range file.Messages {
			if rest, ok := strings.CutPrefix(message.ID, prefix); ok {
				keys = append(keys, rest)
			}
		}
	}
	slices.Sort(keys)
	return keys
}
