package identity

import "testing"

func TestIsEmail(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"a@example.org": true, "a.b+c@mail.example.co.kr": true, "김@예시.한국": true,
		"a@localhost": false, "a@b": false, "a@b.": false, "a@.b": false, "a@[127.0.0.1]": false, "a@": false,
		"@b.c": false, "a": false,
		"a <a@b.c>": false, "a@b.c, d@e.f": false,
	} {
		if got := IsEmail(address); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
}
