package main

import "math"

// minSecretBits is the least that a secret has to be worth, by an estimate that falls short of the truth: 32 random
// hexadecimal digits are worth 128 bits, and some 110 here.
const minSecretBits = 80

// isGuessable says whether somebody could guess a secret: it has few different characters, repeats itself, or counts
// up.
func isGuessable(secret string) bool { return secretBits(secret) < minSecretBits }

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
