package main

import (
	"math"
	"regexp"
	"strings"
)

// minSecretBits is the least that a secret has to be worth, by an estimate that falls short of the truth: 32 random
// hexadecimal digits are worth 128 bits, and some 110 here.
const minSecretBits = 80

// isGuessable says whether somebody could guess a secret: it has few different characters, repeats itself, counts up, or
// is words. What placeholders are made of is worth nothing.
func isGuessable(secret string) bool {
	rest := placeholder.ReplaceAllString(secret, "")
	return min(secretBits(rest), wordBits(rest)) < minSecretBits
}

// placeholder is a word of what stands where a secret belongs. Random text has one of them once in a million times, as
// all have five letters or more.
var placeholder = regexp.MustCompile(`(?i)please|secret|something|anything|whatever|change|replace|insert|enter|paste|` +
	`password|passphrase|example|sample|default|placeholder|random|string|characters|letters|value|token|signing|` +
	`installation|production|development|staging|testing|lunchgo|openssl|generate|longer|strong|secure|unsafe|really|` +
	`should|never|dummy|super|admin|qwerty`)

// A word is letters of one case, or with a capital, or digits, at most so many.
const longestWord = 14

// bitsOfWord is what a word is worth among others: English has some 1.5 bits a letter.
const bitsOfWord = 8

var oneWord = regexp.MustCompile(`^([A-Z]?[a-z]*|[A-Z]+|[0-9]+)$`)

// wordBits estimates what a text of words is worth, such as a sentence; without bound for any other.
func wordBits(text string) float64 {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t-_.,;:!?'\"/", r) })
	different := map[string]bool{}
	for _, part := range parts {
		if len(part) > longestWord || !oneWord.MatchString(part) {
			return math.Inf(1)
		}
		different[strings.ToLower(part)] = true
	}
	return float64(len(different) * bitsOfWord)
}

// secretBits estimates what a secret is worth from how often each character comes, and each step from one character to
// the next; what was there before, four characters long, adds nothing.
func secretBits(secret string) float64 {
	var chars, steps [256]int
	seen := map[string]bool{}
	fresh := 0
	for i := range len(secret) {
		chars[secret[i]]++
		if i > 0 {
			steps[secret[i]-secret[i-1]]++ // a byte: it wraps around
		}
		if i < 3 {
			fresh++
			continue
		}
		if last := secret[i-3 : i+1]; !seen[last] {
			seen[last] = true
			fresh++
		}
	}
	return float64(fresh) * min(entropy(chars), entropy(steps))
}

// entropy is Shannon's, in bits for each thing that was counted.
func entropy(counts [256]int) (bits float64) {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / float64(sum)
			bits -= share * math.Log2(share)
		}
	}
	return bits
}
