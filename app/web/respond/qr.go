package respond

import "rsc.io/qr"

// QR draws a text as a QR code that survives being scratched a little; nil if it is too long for one.
func QR(text string) [][]bool {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil
	}
	rows := make([][]bool, code.Size)
	for y := range rows {
		rows[y] = make([]bool, code.Size)
		for x := range rows[y] {
			rows[y][x] = code.Black(x, y)
		}
	}
	return rows
}
