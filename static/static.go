// Package static holds the files that browsers fetch besides pages: styles, scripts, pictures. They are part of the
// binary, and their addresses carry a hash of their content, so that they can be cached for ever.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"path"
	"strings"
	"sync"
)

// FS holds the files under their plain names, such as js/app.js. The styles lie in several files by concern;
// browsers get them as one, css/app.css.
//
//go:embed css icons js pictures
var FS embed.FS

// Prefix is the path under which Open's files are served.
const Prefix = "/static/"

// styles are the parts of css/app.css in cascading order.
var styles = []string{
	"css/tokens.css",
	"css/base.css",
	"css/layout.css",
	"css/components.css",
	"css/records.css",
	"css/forms.css",
	"css/contents.css",
	"css/guests.css",
	"css/reviews.css",
	"css/reports.css",
	"css/team.css",
	"css/webhooks.css",
	"css/api.css",
	"css/rehearsal.css",
	"css/pages.css",
	"css/lists.css",
	"css/booking.css",
	"css/seats.css",
	"css/waiting.css",
	"css/line.css",
	"css/coupons.css",
	"css/steer.css",
	"css/staff.css",
	"css/shell.css",
	"css/evening.css",
	"css/evening_guests.css",
	"css/evening_room.css",
	"css/evening_table.css",
	"css/evening_timeline.css",
	"css/evening_slots.css",
	"css/evening_sheet.css",
	"css/scan.css",
	"css/setup.css",
}

const bundle = "css/app.css"

// hashLength is the number of hexadecimal digits of a content's hash in its address.
const hashLength = 12

// asset is a file ready to be sent.
type asset struct {
	content     []byte
	zipped      []byte // nil when compression does not pay
	contentType string
	hash        string
}

var assets = sync.OnceValue(func() map[string]asset {
	all := map[string]asset{}
	err := fs.WalkDir(FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := FS.ReadFile(name)
		if err == nil {
			all[name] = newAsset(name, content)
		}
		return err
	})
	if err != nil {
		panic("static: embedded files: " + err.Error())
	}
	var css bytes.Buffer
	for _, name := range styles {
		css.Write(all[name].content)
	}
	all[bundle] = newAsset(bundle, css.Bytes())
	return all
})

func newAsset(name string, content []byte) asset {
	sum := sha256.Sum256(content)
	a := asset{content: content, contentType: contentType(name), hash: hex.EncodeToString(sum[:])[:hashLength]}
	var zipped bytes.Buffer
	writer, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	// Writing to memory does not fail.
	_, _ = writer.Write(content)
	_ = writer.Close()
	if zipped.Len() < len(content)*9/10 {
		a.zipped = zipped.Bytes()
	}
	return a
}

// contentType does not leave the common types to the machine's own table, which may lack them.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	if byExtension := mime.TypeByExtension(path.Ext(name)); byExtension != "" {
		return byExtension
	}
	return "application/octet-stream"
}

// URL is the address of a file for this version of its content: css/app.css is at /static/<hash>/css/app.css. An
// unknown name gives an address that Open does not find.
func URL(name string) string {
	a, ok := assets()[name]
	if !ok {
		return Prefix + "missing/" + name
	}
	return Prefix + a.hash + "/" + name
}

// Open finds the file of a request's path below Prefix: <hash>/css/app.css. It reports false when there is no such
// file, or the hash is not the one of its content: a cached address never shows other content.
func Open(path string) (content []byte, contentType string, ok bool) {
	a, ok := find(path)
	return a.content, a.contentType, ok
}

// OpenGzip is Open for a browser that accepts gzip. It reports false also for a file that compression does not make
// smaller.
func OpenGzip(path string) (content []byte, contentType string, ok bool) {
	a, ok := find(path)
	return a.zipped, a.contentType, ok && a.zipped != nil
}

func find(path string) (asset, bool) {
	hash, name, found := strings.Cut(path, "/")
	if !found {
		return asset{}, false
	}
	a, known := assets()[name]
	if !known || a.hash != hash {
		return asset{}, false
	}
	return a, true
}
