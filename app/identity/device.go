package identity

import "strings"

// browsers and systems are what DeviceOf looks for, in this order: most browsers also name those they descend from.
var (
	browsers = [][2]string{
		{"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"Edg/", "Edge"}, {"SamsungBrowser/", "Samsung Internet"},
		{"Whale/", "Whale"},
		{"OPR/", "Opera"}, {"KAKAOTALK", "KakaoTalk"}, {"NAVER(", "Naver"}, {"FxiOS/", "Firefox"},
		{"Firefox/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Macintosh", "macOS"}, {"Linux", "Linux"},
	}
)

// DeviceOf names a device by its User-Agent header, such as "Chrome, Android": enough for its owner to know it by, and
// nothing that would tell one such device from another. Every word of it is ours. Empty if the header names nothing
// that we know.
func DeviceOf(userAgent string) string {
	var words []string
	for _, known := range [][][2]string{browsers, systems} {
		for _, one := range known {
			if strings.Contains(userAgent, one[0]) {
				words = append(words, one[1])
				break
			}
		}
	}
	return strings.Join(words, ", ")
}
