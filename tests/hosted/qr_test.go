package hosted_test

import (
	"image"
	"image/color"
	"image/draw"
	"regexp"
	"strconv"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// pen is one step of the path of a code: where it begins, or how far it moves or draws.
var pen = regexp.MustCompile(`([Mmh])(\d+)(?: (\d+))?`)

// readQR draws a code as a browser does, and reads it.
func readQR(t *testing.T, svg *html.Node) string {
	t.Helper()
	const module = 4
	side := attr(svg, "viewbox") // the parser of pages folds the names of attributes
	if side == "" {
		side = attr(svg, "viewBox")
	}
	number := func(text string) int { n, err := strconv.Atoi(text); require.NoError(t, err); return n }
	size := number(regexp.MustCompile(`\d+$`).FindString(side)) * module
	picture := image.NewGray(image.Rect(0, 0, size, size))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	x, y := 0, 0
	for _, step := range pen.FindAllStringSubmatch(attr(svg.LastChild, "d"), -1) {
		by := number(step[2])
		switch step[1] {
		case "M":
			x, y = by, number(step[3])
		case "m":
			x += by
		case "h":
			draw.Draw(picture, image.Rect(x*module, y*module, (x+by)*module, (y+1)*module), image.NewUniform(color.Black), image.Point{}, draw.Src)
			x += by
		}
	}
	bits, err := gozxing.NewBinaryBitmapFromImage(picture)
	require.NoError(t, err)
	read, err := qrcode.NewQRCodeReader().Decode(bits, nil)
	require.NoError(t, err)
	return read.GetText()
}
