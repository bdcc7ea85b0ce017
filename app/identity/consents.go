package identity

// Documents are versions of what the site has people agree to, the days from which they are in force such as
// "2026-11-28"; empty for none.
type Documents struct {
	Terms   string // of use
	Privacy string // the privacy policy
}
