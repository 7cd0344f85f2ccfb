package hosted

import (
	"html/template"
	"image/color"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// maxLabel is how much of a shop's name a QR code has room for, in code points.
const maxLabel = 30

// shortened cuts a text to so many code points.
func shortened(text string, most int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), most)])
}

// quiet is the margin that readers of QR codes need, in modules.
const quiet = 4

// qrCode is a QR code as a picture: the side of its box and the path of a pen that is one
// module wide.
type qrCode struct {
	Side int
	Path string
}

const (
	// onScreen is the correction of errors that a screen needs, which has no dirt: the least,
	// because its modules are the largest. onPaper survives that a part is gone.
	onScreen = qr.L
	onPaper  = qr.M
)

// newQR draws a text. Runs of dark modules in a row are one line.
func newQR(text string, correction qr.ErrorCorrectionLevel) (qrCode, error) {
	code, err := qr.Encode(text, correction, qr.Auto)
	if err != nil {
		return qrCode{}, err
	}
	side := code.Bounds().Dx()
	var path strings.Builder
	for y := range side {
		pen := 0
		for x := 0; x < side; x++ {
			run := 0
			for x+run < side && code.At(x+run, y) == color.Black {
				run++
			}
			if run == 0 {
				continue
			}
			if pen == 0 {
				path.WriteString("M" + strconv.Itoa(x+quiet) + " " + strconv.Itoa(y+quiet) + ".5")
			} else {
				path.WriteString("m" + strconv.Itoa(x-pen) + " 0")
			}
			path.WriteString("h" + strconv.Itoa(run))
			x += run
			pen = x
		}
	}
	return qrCode{side + 2*quiet, path.String()}, nil
}

// deepLink is a transfer request as the address of a link. It is safe: every part of
// it is ours or was escaped. A bare address is no link.
func deepLink(request string) template.URL {
	if !strings.HasPrefix(request, "solana:") {
		return ""
	}
	return template.URL(request) //nolint:gosec // built by chain.PaymentRequest
}
