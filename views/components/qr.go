package components

import (
	"fmt"
	"strings"
)

// qrQuiet is the white margin of a QR code in modules, as ISO/IEC 18004 asks for.
const qrQuiet = 4

func qrBox(modules [][]bool) string {
	size := len(modules) + 2*qrQuiet
	return fmt.Sprintf("0 0 %d %d", size, size)
}

// qrPath draws each run of dark modules in a row as one bar.
func qrPath(modules [][]bool) string {
	var path strings.Builder
	for y, row := range modules {
		for x := 0; x < len(row); x++ {
			start := x
			for x < len(row) && row[x] {
				x++
			}
			if x > start {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", start+qrQuiet, y+qrQuiet, x-start, x-start)
			}
		}
	}
	return path.String()
}
