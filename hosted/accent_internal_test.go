package hosted

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requireLegible requires that all that an accent colours can be read in both themes.
func requireLegible(t require.TestingT, accent shade) {
	light, dark := accent.palettes()
	for _, pair := range [][2]shade{
		{light.strong, lightPage}, {light.strong, lightCard}, {light.onStrong, light.strong}, {lightInk, light.tint},
		{dark.strong, darkPage}, {dark.strong, darkCard}, {dark.onStrong, dark.strong}, {darkInk, dark.tint},
	} {
		require.GreaterOrEqual(t, contrast(pair[0], pair[1]), legible, "%s: %s on %s", accent, pair[0], pair[1])
	}
}

func TestEveryAccentIsShownInAShadeThatCanBeRead(t *testing.T) {
	for red := 0; red <= 255; red += 15 {
		for green := 0; green <= 255; green += 15 {
			for blue := 0; blue <= 255; blue += 15 {
				requireLegible(t, shade{uint8(red), uint8(green), uint8(blue)})
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Uint8()
		requireLegible(t, shade{part.Draw(t, "red"), part.Draw(t, "green"), part.Draw(t, "blue")})
	})
}

func TestAnAccentThatCanBeReadStaysAsItIs(t *testing.T) {
	dark, _ := shade{0x0b, 0x5d, 0x4e}.palettes()
	require.Equal(t, "#0b5d4e", dark.strong.String())
	_, light := shade{0x6f, 0xd3, 0xbb}.palettes()
	require.Equal(t, "#6fd3bb", light.strong.String())
	yellow, _ := shade{0xff, 0xd6, 0x00}.palettes()
	require.Equal(t, yellow.strong[0]*214/255, yellow.strong[1]*255/255, "a darker shade has the same hue")
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	require.InDelta(t, 21, contrast(black, white), 0.001)
	require.InDelta(t, 4.54, contrast(shade{0x76, 0x76, 0x76}, white), 0.01)
	require.InDelta(t, 4.0, contrast(shade{0xff, 0x00, 0x00}, white), 0.01)
}

// The grounds are those of page.css, which alone decides how a page looks.
func TestTheGroundsOfAccentsAreThoseOfThePages(t *testing.T) {
	css := string(mustRead("page.css"))
	var found []string
	for _, m := range regexp.MustCompile(`--(page|card|ink): (#[0-9a-f]+)`).FindAllStringSubmatch(css, -1) {
		found = append(found, m[2])
	}
	require.Equal(t, []string{lightPage.String(), "#fff", lightInk.String(), darkPage.String(), darkCard.String(), darkInk.String()}, found)
}

func TestAStyleOfAnAccentHasOneName(t *testing.T) {
	path := accentPath("#b00020")
	require.Regexp(t, `^/assets/accent-b00020-[0-9a-f]{16}\.css$`, path)
	style, ok := accentNamed(path[len(assetPath):])
	require.True(t, ok)
	require.Equal(t, "text/css; charset=utf-8", style.kind)
	for _, wrong := range []string{"", "red", "#b0002", "#b000200", "#g00020", "b00020", "#+b0002", "#-b0002"} {
		require.Empty(t, accentPath(wrong), wrong)
	}
	for _, wrong := range []string{"accent-b00020-0000000000000000.css", "accent-b00020.css", "b00020", "accent-}body{}-x.css", "page.css", ""} {
		_, ok := accentNamed(wrong)
		require.False(t, ok, wrong)
	}
}
