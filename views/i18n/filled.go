package i18n

import (
	"strconv"
	"sync"
	"sync/atomic"
)

// mostFilled bounds how many texts with numbers in them are remembered: some megabytes, and enough for every text with
// every usual number.
const mostFilled = 20_000

// filled remembers texts whose arguments are all whole numbers: to fill one in costs as much as the rest of a refusal,
// and a rush asks for the same ones thousands of times.
var filled filledTexts

type filledTexts struct {
	texts sync.Map // of string by key and arguments
	n     atomic.Int64
}

// fill returns the text of a key with its arguments.
func (f *filledTexts) fill(lang, key string, args []any) string {
	name, ok := nameOf(lang, key, args)
	if !ok {
		return localize(lang, key, args)
	}
	if text, known := f.texts.Load(name); known {
		return text.(string)
	}
	text := localize(lang, key, args)
	if f.n.Load() < mostFilled {
		f.n.Add(1)
		f.texts.Store(name, text)
	}
	return text
}

// nameOf names a text and its arguments; false if one is not a whole number.
func nameOf(lang, key string, args []any) (string, bool) {
	name := make([]byte, 0, 128)
	name = append(append(append(name, lang...), '|'), key...)
	for i, arg := range args {
		switch value := arg.(type) {
		case string:
			if i%2 != 0 {
				return "", false
			}
			name = append(append(name, '|'), value...)
		case int:
			name = strconv.AppendInt(append(name, '='), int64(value), 10)
		case int64:
			name = strconv.AppendInt(append(name, '='), value, 10)
		default:
			return "", false
		}
	}
	return string(name), true
}
