package reviews

import "testing"

// A name beside a review says no more than a family name or initials.
func TestShortName_SaysLittle(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"김하늘": "김○○", " 남궁 민수": "남○○", "Jane Doe": "J. D.", "mina": "M.", "Élodie  van Dam": "É. V. D.", "山田太郎": "山○○",
		"Kim (VIP)": "K.", "(주) 김": "김○○", "7": "○○",
	} {
		if got := ShortName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
