package hosted

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The accent of a business is the colour of buttons, links and marks of focus. What cannot be
// read in it is shown in the nearest shade that can: darker on light pages, and lighter on
// dark ones. The style comes from an address of its own, as pages have no other styles.

// legible is the contrast that a text needs, as WCAG 2.2 has it (1.4.3).
const legible = 4.5

// shade is a colour: red, green and blue.
type shade [3]uint8

var (
	black, white = shade{}, shade{255, 255, 255}
	// The grounds on which the accent stands, as page.css has them.
	lightPage, lightCard, lightInk = shade{0xf3, 0xf5, 0xf4}, white, shade{0x16, 0x21, 0x1e}
	darkPage, darkCard, darkInk    = shade{0x0e, 0x15, 0x13}, shade{0x17, 0x21, 0x1e}, shade{0xe9, 0xf0, 0xee}
)

// parseShade reads # and six digits.
func parseShade(color string) (shade, bool) {
	digits, marked := strings.CutPrefix(color, "#")
	rgb, err := strconv.ParseUint(digits, 16, 32)
	return shade{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb)}, marked && err == nil && len(digits) == 6
}

// String writes # and six digits.
func (s shade) String() string { return fmt.Sprintf("#%02x%02x%02x", s[0], s[1], s[2]) }

// luminance is the relative luminance of WCAG.
func (s shade) luminance() float64 {
	of := func(part uint8) float64 {
		c := float64(part) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*of(s[0]) + 0.7152*of(s[1]) + 0.0722*of(s[2])
}

// contrast is that of two colours: 1 to 21.
func contrast(a, b shade) float64 {
	least, most := a.luminance(), b.luminance()
	if least > most {
		least, most = most, least
	}
	return (most + 0.05) / (least + 0.05)
}

// mixed is a colour with so many hundredths of another one in it.
func (s shade) mixed(other shade, hundredths int) (mix shade) {
	for i := range s {
		mix[i] = uint8((int(s[i])*(100-hundredths) + int(other[i])*hundredths + 50) / 100)
	}
	return mix
}

// readable is the nearest shade of a colour, towards another one, that can be read on all
// grounds. The other one itself must be readable on them.
func (s shade) readable(towards shade, grounds ...shade) shade {
	for hundredths := range 100 {
		mix, least := s.mixed(towards, hundredths), math.Inf(1)
		for _, ground := range grounds {
			least = min(least, contrast(mix, ground))
		}
		if least >= legible {
			return mix
		}
	}
	return towards
}

// palette is what an accent makes of a theme, by the names of page.css.
type palette struct{ strong, onStrong, tint shade }

// palettes are those of the light and of the dark theme.
func (s shade) palettes() (light, dark palette) {
	light.strong, light.onStrong = s.readable(black, lightPage, lightCard), white
	light.tint = lightCard.mixed(light.strong, tinted)
	dark.strong, dark.onStrong = s.readable(white, darkPage, darkCard), darkPage
	dark.tint = darkCard.mixed(dark.strong, tinted)
	return light, dark
}

// tinted is how much of the accent is in the ground of the chosen method, in hundredths.
const tinted = 12

// css is the palette as declarations.
func (p palette) css() string {
	return fmt.Sprintf(":root{--strong:%s;--on-strong:%s;--tint:%s}", p.strong, p.onStrong, p.tint)
}

// accentStyle is the style of an accent, as a file.
func accentStyle(accent shade) asset {
	light, dark := accent.palettes()
	return newAsset("accent.css", []byte(light.css()+"\n@media (prefers-color-scheme: dark){"+dark.css()+"}\n"))
}

const accentPrefix = "accent-"

// accentName is the name of the style of an accent: its colour, and the digest of the style.
func accentName(accent shade, style asset) string {
	return accentPrefix + accent.String()[1:] + "-" + strings.Trim(style.etag, `"`) + ".css"
}

// accentPath is where the style of a colour is served, or empty for what is no colour.
func accentPath(color string) string {
	accent, ok := parseShade(color)
	if !ok {
		return ""
	}
	return assetPath + accentName(accent, accentStyle(accent))
}

// accentNamed returns the style that has a name, if there is one.
func accentNamed(name string) (asset, bool) {
	color, _, _ := strings.Cut(strings.TrimPrefix(name, accentPrefix), "-")
	accent, ok := parseShade("#" + color)
	if !ok {
		return asset{}, false
	}
	style := accentStyle(accent)
	return style, name == accentName(accent, style)
}
