package strictjson

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// check reads the whole document once for all that does not depend on types. It
// returns the texts with control characters, which do not keep a document from
// being read.
func check(data []byte, prose []string) (unclean []Problem, err error) {
	if !utf8.Valid(data) {
		return nil, refuse("", NotUTF8)
	}
	s := scanners.Get().(*scanner) //nolint:forcetypeassert // the pool holds nothing else
	defer s.forget()
	s.data, s.prose, s.controls = data, prose, mayHoldControls(data)
	s.decoder.Reset(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true)) // names are looked at here
	for done := false; !done; {
		if done, err = s.next(); err != nil {
			return nil, err
		}
	}
	if _, err := s.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, refuse("", Trailing)
	}
	return s.unclean, nil
}

// scanner walks through a document and knows where it is.
type scanner struct {
	decoder  *jsontext.Decoder
	data     []byte
	prose    []string
	controls bool
	unclean  []Problem
	// names are those of each object that it is in, by depth. The last one is that of
	// the member.
	names [MaxDepth + 1][][]byte
	// deepest is the greatest depth so far.
	deepest int
}

// scanners are kept, because they grow with what they read.
var scanners = sync.Pool{New: func() any { return &scanner{decoder: jsontext.NewDecoder(new(bytes.Buffer))} }}

// forget returns the scanner, with nothing of the document.
func (s *scanner) forget() {
	for depth := range s.deepest + 1 {
		clear(s.names[depth][:cap(s.names[depth])])
	}
	*s = scanner{decoder: s.decoder, names: s.names}
	scanners.Put(s)
}

// next reads a token, and reports whether it was the last one of the document.
func (s *scanner) next() (done bool, err error) {
	begin := s.decoder.InputOffset()
	token, err := s.decoder.ReadToken()
	if err != nil {
		return false, refuse("", NotJSON) // the library's text is not stable
	}
	depth := s.decoder.StackDepth()
	if depth > MaxDepth {
		return false, refuse("", TooDeep)
	}
	s.deepest = max(s.deepest, depth)
	kind, length := s.decoder.StackIndex(depth)
	switch {
	case kind == '{' && length == 0:
		s.names[depth] = s.names[depth][:0]
	case kind == '{' && length%2 == 1:
		err = s.name(depth, unspaced(s.data[begin:s.decoder.InputOffset()]))
	case kind == '[' && length > MaxElements:
		err = refuse(s.path(depth-1), TooManyElements)
	case token.Kind() == '"':
		s.text(unspaced(s.data[begin:s.decoder.InputOffset()]), kind == '{' && s.isProse(depth))
	}
	return depth == 0, err
}

// unspaced returns a token without what stands before it.
func unspaced(token []byte) []byte { return bytes.TrimLeft(token, ",: \t\r\n") }

// name takes in the name of a member that was just read.
func (s *scanner) name(depth int, raw []byte) error {
	name := raw[1 : len(raw)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name, _ = jsontext.AppendUnquote(nil, raw) // it was read as a text
	}
	known := s.names[depth]
	twice := slices.ContainsFunc(known, func(other []byte) bool { return bytes.Equal(name, other) })
	s.names[depth] = append(known, name)
	switch {
	case len(name) > MaxName:
		return refuse(s.path(depth-1), LongName)
	case len(known) == MaxMembers:
		return refuse(s.path(depth-1), TooManyMembers)
	case twice:
		return refuse(s.path(depth), Duplicate)
	}
	s.text(raw, false)
	return nil
}

func (s *scanner) isProse(depth int) bool {
	names := s.names[depth]
	return slices.Contains(s.prose, string(names[len(names)-1]))
}

// text looks at a text that was just read.
func (s *scanner) text(raw []byte, prose bool) {
	if s.controls && len(s.unclean) < MaxProblems && !clean(raw, prose) {
		s.unclean = append(s.unclean, Problem{s.path(s.decoder.StackDepth()), ControlCharacter})
	}
}

// path is the names and indices that lead to a depth.
func (s *scanner) path(depth int) string {
	return joined(func(yield func(string) bool) {
		for d := 1; d <= depth; d++ {
			var name string
			if kind, length := s.decoder.StackIndex(d); kind == '[' {
				name = strconv.FormatInt(length-1, 10)
			} else {
				name = string(s.names[d][len(s.names[d])-1])
			}
			if !yield(name) {
				return
			}
		}
	})
}

func refuse(path string, reason Reason) *Error { return &Error{[]Problem{{path, reason}}, true} }

// mayHoldControls reports whether looking into texts is worth the while: the
// grammar keeps out bare control characters below space, so that one can only
// be escaped, or be DEL or of the block behind the byte C2.
func mayHoldControls(data []byte) bool {
	return bytes.IndexByte(data, '\\') >= 0 || bytes.IndexByte(data, 0x7f) >= 0 || bytes.IndexByte(data, 0xc2) >= 0
}

// clean reports whether a text in quotes holds no control character, escaped or not.
func clean(raw []byte, prose bool) bool {
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; {
		case b == '\\':
			i++
			control := strings.IndexByte("bfr", raw[i]) >= 0 || !prose && (raw[i] == 't' || raw[i] == 'n')
			if raw[i] == 'u' {
				control = escapedControl(raw[i+1:i+5], prose)
				i += 4
			}
			if control {
				return false
			}
		case b == 0x7f, b == 0xc2 && raw[i+1] < 0xa0:
			return false
		}
	}
	return true
}

// escapedControl reports whether four hexadecimal digits are a control character.
func escapedControl(digits []byte, prose bool) bool {
	r, err := strconv.ParseUint(string(digits), 16, 16)
	return err == nil && unicode.IsControl(rune(r)) && (!prose || r != '\t' && r != '\n')
}

// dotted returns a JSON pointer as a path: /items/0/amount is items.0.amount.
func dotted(p jsontext.Pointer) string { return joined(p.Tokens()) }

// joined returns names as a path of at most MaxPath bytes.
func joined(names iter.Seq[string]) string {
	var path []byte
	dot := ""
	for name := range names {
		path = append(append(path, dot...), name[:min(len(name), MaxPath+1)]...)
		dot = "."
		if len(path) > MaxPath {
			return cut(path)
		}
	}
	return string(path)
}

// cut shortens a path, and never within a character.
func cut(path []byte) string {
	const ellipsis = "…"
	end := MaxPath - len(ellipsis)
	for !utf8.RuneStart(path[end]) {
		end--
	}
	return string(path[:end]) + ellipsis
}
