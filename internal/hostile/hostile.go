// Package hostile makes request bodies that are dear to read, and measures what a
// server spends on them. Tests search with it for the worst body there is.
package hostile

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Body is the recipe of a JSON document. The zero value is a small one; Random and
// Mutated make others.
type Body struct {
	// Size is about how long the document is, in bytes.
	Size int
	// Member is the name of the member that holds all else, of the outermost object.
	Member string
	// Depth is how many further objects, or arrays, stand around the crowd.
	Depth  int
	Arrays bool
	// NameLength is the length of the names of those objects.
	NameLength int
	// Fan is how many values stand in each object or array of the crowd; Named makes
	// them objects, whose names have CrowdName characters and more.
	Fan       int
	Named     bool
	CrowdName int
	// Piece is what names and texts are made of, and Value what is repeated.
	Piece, Value int
	// Text is how long a repeated text is.
	Text int
}

// pieces are what texts are made of, as JSON writes them.
var pieces = []string{
	"a", `\u0000`, `\n`, `\t`, `\"`, `\u0001`, "\u007f", "\u0085", "e\u0301", `e\u0301`, "<", "&", "\u2028", "\U0001F600",
	`\ud83d\ude00`, "\u0344", "\u1100\u1161\u11a8", "1", "%", "/", "~1", " ", "\ufdfa", "a\u0315\u0300\u05ae\u0300\u0062",
}

// values are what is repeated; TEXT stands for a text of pieces.
var values = []string{
	`TEXT`, `0`, `""`, `null`, `true`, `{}`, `[]`, `-0`, `1e400`, `0.10`, `[[]]`, `{"a":0}`, `[0,0]`, `{"a":TEXT}`, `[TEXT]`, `[{}]`,
}

var lengths = []int{0, 1, 2, 3, 7, 20, 64, 100, 201, 1000, 5000, 20_000}

var fans = []int{1, 2, 8, 9, 60, 64, 65, 100, 900, 1000, 1001, 40_000}

// Random draws a recipe with one of the members. draw returns a number below n.
func Random(draw func(n int) int, size int, members []string) Body {
	b := Body{Size: size, Arrays: draw(2) == 0, Named: draw(2) == 0, Depth: draw(31)}
	for range 8 {
		b = b.Mutated(draw, members)
	}
	return b
}

// Mutated returns the recipe with some of it drawn anew.
func (b Body) Mutated(draw func(n int) int, members []string) Body {
	switch draw(10) {
	case 0:
		b.Member = members[draw(len(members))]
	case 1:
		b.Depth = draw(31)
	case 2:
		b.Arrays = !b.Arrays
	case 3:
		b.NameLength = pick(draw, lengths)
	case 4:
		b.Fan = pick(draw, fans)
	case 5:
		b.Named = !b.Named
	case 6:
		b.CrowdName = pick(draw, lengths)
	case 7:
		b.Piece = draw(len(pieces))
	case 8:
		b.Value = draw(len(values))
	default:
		b.Text = pick(draw, lengths)
	}
	return b
}

func pick(draw func(n int) int, from []int) int { return from[draw(len(from))] }

// JSON writes the document.
func (b Body) JSON(with ...string) []byte {
	var doc strings.Builder
	doc.WriteByte('{')
	for _, member := range with {
		doc.WriteString(member + ",")
	}
	doc.WriteString(strconv.Quote(b.Member) + ":")
	var end []byte
	for range b.Depth {
		end = append(end, b.open(&doc)...)
	}
	slices.Reverse(end)
	b.crowd(&doc, b.Size-len(end))
	doc.Write(end)
	doc.WriteByte('}')
	return []byte(doc.String())
}

// open begins an object or an array, and returns what ends it.
func (b Body) open(doc *strings.Builder) string {
	if b.Arrays || doc.Len()+b.NameLength > b.Size/2 {
		doc.WriteByte('[')
		return "]"
	}
	doc.WriteString(`{"` + b.text(b.NameLength) + `":`)
	return "}"
}

// crowd repeats values, in groups, until the document is long enough.
func (b Body) crowd(doc *strings.Builder, size int) {
	value := strings.ReplaceAll(values[b.Value], "TEXT", `"`+b.text(b.Text)+`"`)
	name := b.text(b.CrowdName)
	doc.WriteByte('[')
	for group := 0; group == 0 || doc.Len() < size; group++ {
		if group > 0 {
			doc.WriteByte(',')
		}
		doc.WriteByte("[{"[index(b.Named)])
		for n := 0; n < max(b.Fan, 1) && doc.Len() < size; n++ {
			if n > 0 {
				doc.WriteByte(',')
			}
			if b.Named {
				doc.WriteString(`"` + name + strconv.FormatInt(int64(n), 36) + `":`)
			}
			doc.WriteString(value)
		}
		doc.WriteByte("]}"[index(b.Named)])
	}
	doc.WriteByte(']')
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (b Body) text(length int) string { return strings.Repeat(pieces[b.Piece], length) }

// Tries is how often a measure is taken before it counts as above its limit: others may
// allocate, or want the processor, meanwhile.
const Tries = 8

// Allocated is how many bytes work allocates in all, which no moment of it can hold
// more than. It begins with empty pools. Of several tries it is the least, or the first
// that is within the limit.
func Allocated(limit uint64, work func()) uint64 {
	return least(limit, func() uint64 {
		runtime.GC()
		runtime.GC() // a pool is empty after the second
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	})
}

// Took is how long work takes. Of several tries it is the least, or the first that is
// within the limit.
func Took(limit time.Duration, work func()) time.Duration {
	return least(limit, func() time.Duration {
		begun := time.Now()
		work()
		return time.Since(begun)
	})
}

func least[N uint64 | time.Duration](limit N, measure func() N) N {
	found := measure()
	for try := 1; try < Tries && found > limit; try++ {
		found = min(found, measure())
	}
	return found
}

// Pieces are what texts are made of, as JSON writes them.
func Pieces() []string { return slices.Clone(pieces) }
