package hosted

import (
	"html/template"
	"image/color"
	"net/url"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/qr"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// transferURL is a Solana Pay transfer request: the amount and the receiver. It has no
// reference, because a deposit is recognised by its address. Without a mint it is the bare
// address.
func transferURL(to chain.Address, amount money.Amount, mint chain.Address, label string) string {
	if mint == "" {
		return string(to)
	}
	u := "solana:" + string(to) + "?amount=" + amount.Major() + "&spl-token=" + string(mint)
	if label != "" {
		u += "&label=" + strings.ReplaceAll(url.QueryEscape(label), "+", "%20")
	}
	return u
}

// quiet is the margin that readers of QR codes need, in modules.
const quiet = 4

// qrCode is a QR code as a picture: the side of its box and the path of its dark
// modules.
type qrCode struct {
	Side int
	Path string
}

// newQR draws a text. Runs of dark modules in a row are one rectangle.
func newQR(text string) (qrCode, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return qrCode{}, err
	}
	side := code.Bounds().Dx()
	var path strings.Builder
	for y := range side {
		for x := 0; x < side; x++ {
			run := 0
			for x+run < side && code.At(x+run, y) == color.Black {
				run++
			}
			if run > 0 {
				path.WriteString("M" + strconv.Itoa(x+quiet) + " " + strconv.Itoa(y+quiet) + "h" + strconv.Itoa(run) + "v1h-" + strconv.Itoa(run) + "z")
				x += run
			}
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
	return template.URL(request) //nolint:gosec // built by transferURL
}
