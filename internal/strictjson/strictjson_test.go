package strictjson_test

import (
	stdjson "encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/strictjson"
)

type request struct {
	Name        string             `json:"name"`
	Description *string            `json:"description"`
	Amount      strictjson.Literal `json:"amount"`
	Count       int                `json:"count"`
	Active      *bool              `json:"active"`
	Metadata    map[string]any     `json:"metadata"`
	Tags        []string           `json:"tags"`
	Items       []item             `json:"items"`
	Sender      *item              `json:"sender"`
}

type item struct {
	Amount strictjson.Literal `json:"amount"`
	Wide   int64              `json:"wide"`
}

func decode(document string) (request, error) {
	var r request
	err := strictjson.Decode([]byte(document), &r, "description", "note")
	return r, err
}

// problems returns what Decode refuses about a document.
func problems(t *testing.T, document string) []strictjson.Problem {
	t.Helper()
	_, err := decode(document)
	var refused *strictjson.Error
	require.ErrorAs(t, err, &refused, "%.80q", document)
	return refused.Problems
}

func TestDecodeFillsEveryKindOfMember(t *testing.T) {
	r, err := decode(` {"name":"Ada","description":"one\n\ttwo","amount":25.50,"count":-3,"active":false,
		"metadata":{"s":"x","n":1.10,"b":true,"z":null,"o":{"n":1e3},"a":[2]},
		"tags":["a","b"],"items":[{"amount":"007","wide":9223372036854775807}],"sender":{"amount":1}} `)

	require.NoError(t, err)
	require.Equal(t, "Ada", r.Name)
	require.Equal(t, "one\n\ttwo", *r.Description)
	require.Equal(t, strictjson.Literal("25.50"), r.Amount)
	require.Equal(t, -3, r.Count)
	require.False(t, *r.Active)
	require.Equal(t, []string{"a", "b"}, r.Tags)
	require.Equal(t, []item{{"007", math.MaxInt64}}, r.Items)
	require.Equal(t, &item{Amount: "1"}, r.Sender)
	require.Equal(t, map[string]any{
		"s": "x", "n": stdjson.Number("1.10"), "b": true, "z": nil,
		"o": strictjson.Nested{}, "a": strictjson.Nested{},
	}, r.Metadata)
}

func TestDecodeTakes(t *testing.T) {
	for name, document := range map[string]string{
		"an empty document":                "",
		"a document of spaces":             " \r\n\t ",
		"an empty object":                  "{}",
		"null for the document":            "null",
		"null members":                     `{"name":null,"description":null,"amount":null,"count":null,"active":null,"metadata":null,"items":null,"sender":null}`,
		"unknown members":                  `{"colour":"red","nested":{"a":[1,{}]}}`,
		"a name in another case, unread":   `{"NAME":"x","Count":"y","items":[{"AMOUNT":{}}]}`,
		"the same name in two objects":     `{"items":[{"wide":0},{"wide":0}],"sender":{"wide":0}}`,
		"a document of the greatest depth": `{"x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			r, err := decode(document)
			require.NoError(t, err)
			r.Items, r.Sender = nil, nil
			require.Equal(t, request{}, r)
		})
	}
}

func TestDecodeRefusesADocumentThat(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for name, c := range map[string]struct {
		document, path string
		reason         strictjson.Reason
	}{
		"is cut short":                          {`{"name":"x"`, "", strictjson.NotJSON},
		"is no JSON":                            {`name=x`, "", strictjson.NotJSON},
		"begins with a byte order mark":         {"\ufeff{}", "", strictjson.NotJSON},
		"has a trailing comma":                  {`{"name":"x",}`, "", strictjson.NotJSON},
		"has a comment":                         {`{/**/}`, "", strictjson.NotJSON},
		"has a number with a leading zero":      {`{"count":01}`, "", strictjson.NotJSON},
		"has NaN":                               {`{"count":NaN}`, "", strictjson.NotJSON},
		"has a raw newline in a text":           {"{\"name\":\"a\nb\"}", "", strictjson.NotJSON},
		"has a lone surrogate":                  {`{"name":"\ud800"}`, "", strictjson.NotJSON},
		"is not UTF-8":                          {"{\"name\":\"\xff\"}", "", strictjson.NotUTF8},
		"has bytes that are not UTF-8 after it": {"{}\xff", "", strictjson.NotUTF8},
		"is followed by another":                {`{} {}`, "", strictjson.Trailing},
		"is followed by garbage":                {`{}]`, "", strictjson.Trailing},
		"is followed by NUL":                    {"{}\x00", "", strictjson.Trailing},
		"names a member twice":                  {`{"name":"a","name":"b"}`, "name", strictjson.Duplicate},
		"names a member twice by an escape":     {`{"name":"a","n\u0061me":"b"}`, "name", strictjson.Duplicate},
		"names an unknown member twice":         {`{"x":{"y":1,"y":2}}`, "x.y", strictjson.Duplicate},
		"nests too deep":                        {`{"x":` + deep(32) + `}`, "", strictjson.TooDeep},
		"nests deeper than the library reads":   {deep(20_000), "", strictjson.TooDeep},
		"has NUL in a text":                     {`{"name":"a\u0000"}`, "name", strictjson.ControlCharacter},
		"has DEL in a text":                     {"{\"name\":\"a\x7f\"}", "name", strictjson.ControlCharacter},
		"has a C1 control in a text":            {"{\"name\":\"\u0085\"}", "name", strictjson.ControlCharacter},
		"has a tab in a name":                   {`{"name":"a\tb"}`, "name", strictjson.ControlCharacter},
		"has a newline in a name":               {`{"name":"a\nb"}`, "name", strictjson.ControlCharacter},
		"has a carriage return in prose":        {`{"description":"a\rb"}`, "description", strictjson.ControlCharacter},
		"has NUL in prose":                      {`{"description":"\u0000"}`, "description", strictjson.ControlCharacter},
		"has NUL in an unknown member":          {`{"x":["\u0000"]}`, "x.0", strictjson.ControlCharacter},
		"has a newline below a name in prose":   {`{"note":{"a":"\n"}}`, "note.a", strictjson.ControlCharacter},
		"has a newline in a member's own name":  {`{"note\n":1}`, "note\n", strictjson.ControlCharacter},
		"is a text":                             {`"x"`, "", strictjson.NotObject},
		"is an array":                           {`[]`, "", strictjson.NotObject},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, []strictjson.Problem{{Path: c.path, Reason: c.reason}}, problems(t, c.document))
		})
	}
}

func TestAMemberOfTheWrongTypeIsRefused(t *testing.T) {
	for document, want := range map[string]strictjson.Problem{
		`{"name":1}`:                      {Path: "name", Reason: strictjson.NotString},
		`{"name":{}}`:                     {Path: "name", Reason: strictjson.NotString},
		`{"description":true}`:            {Path: "description", Reason: strictjson.NotString},
		`{"tags":["a",2]}`:                {Path: "tags.1", Reason: strictjson.NotString},
		`{"tags":"a"}`:                    {Path: "tags", Reason: strictjson.NotArray},
		`{"active":"true"}`:               {Path: "active", Reason: strictjson.NotBoolean},
		`{"active":1}`:                    {Path: "active", Reason: strictjson.NotBoolean},
		`{"count":"1"}`:                   {Path: "count", Reason: strictjson.NotWhole},
		`{"count":1.0}`:                   {Path: "count", Reason: strictjson.NotWhole},
		`{"count":1e0}`:                   {Path: "count", Reason: strictjson.NotWhole},
		`{"count":9223372036854775808}`:   {Path: "count", Reason: strictjson.NotWhole},
		`{"amount":true}`:                 {Path: "amount", Reason: strictjson.NotLiteral},
		`{"amount":[1]}`:                  {Path: "amount", Reason: strictjson.NotLiteral},
		`{"metadata":"x"}`:                {Path: "metadata", Reason: strictjson.NotObject},
		`{"sender":[]}`:                   {Path: "sender", Reason: strictjson.NotObject},
		`{"items":[{},{"amount":false}]}`: {Path: "items.1.amount", Reason: strictjson.NotLiteral},
	} {
		t.Run(document, func(t *testing.T) {
			require.Equal(t, []strictjson.Problem{want}, problems(t, document))
		})
	}
}

func TestEveryMemberOfTheWrongTypeIsNamedAtOnce(t *testing.T) {
	require.Equal(t, []strictjson.Problem{
		{Path: "name", Reason: strictjson.NotString},
		{Path: "count", Reason: strictjson.NotWhole},
		{Path: "items.0.wide", Reason: strictjson.NotWhole},
		{Path: "sender", Reason: strictjson.NotObject},
	}, problems(t, `{"name":1,"count":"x","items":[{"wide":0.5}],"sender":"y","tags":["ok"]}`))
}

func TestTextsWithControlCharactersAreNamedWithAllElse(t *testing.T) {
	r, err := decode(`{"name":"a\u0000","description":"fine","count":"x","tags":["\u0007"],"amount":1}`)
	refused, ok := errors.AsType[*strictjson.Error](err)
	require.True(t, ok)
	require.Equal(t, []strictjson.Problem{
		{Path: "name", Reason: strictjson.ControlCharacter},
		{Path: "tags.0", Reason: strictjson.ControlCharacter},
		{Path: "count", Reason: strictjson.NotWhole},
	}, refused.Problems)
	require.False(t, refused.Unread)
	require.Equal(t, "fine", *r.Description, "the rest was read")
}

func TestADocumentThatCannotBeReadIsUnread(t *testing.T) {
	for _, document := range []string{`{`, `{"name":"a","name":"b"}`, "\xff", `{} {}`} {
		r, err := decode(document)
		refused, ok := errors.AsType[*strictjson.Error](err)
		require.True(t, ok)
		require.True(t, refused.Unread, document)
		require.Equal(t, request{}, r, document)
	}
}

func TestTheErrorListsItsProblems(t *testing.T) {
	_, err := decode(`{"name":1,"count":"x"}`)
	require.EqualError(t, err, "strictjson: refused: name: Must be a string; count: Must be a whole number")
	_, err = decode(`{`)
	require.EqualError(t, err, "strictjson: refused: Must be valid JSON")
}

func TestALiteralKeepsItsText(t *testing.T) {
	for document, want := range map[string]strictjson.Literal{
		`{"amount":0.10}`:                  "0.10",
		`{"amount":"0.10"}`:                "0.10",
		`{"amount":-0}`:                    "-0",
		`{"amount":1E400}`:                 "1E400",
		`{"amount":"+1 "}`:                 "+1 ",
		`{"amount":"\u0031"}`:              "1",
		`{"amount":9007199254740993}`:      "9007199254740993",
		`{"amount":0.1000000000000000055}`: "0.1000000000000000055",
	} {
		r, err := decode(document)
		require.NoError(t, err)
		require.Equal(t, want, r.Amount, document)
	}
}

func TestAFloatIsNoPlaceForANumber(t *testing.T) {
	var v struct {
		Amount float64 `json:"amount"`
	}
	err := strictjson.Decode([]byte(`{"amount":1}`), &v)
	require.ErrorContains(t, err, "cannot decode into float64")
	var refused *strictjson.Error
	require.NotErrorAs(t, err, &refused)
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"name":"x","amount":1.5}`, `{"a":1,"a":2}`, `{"metadata":{"k":1e400}}`, `{} {}`,
		"{\"name\":\"\xff\"}", `{"name":"\u0000"}`, `{"description":"a\nb"}`, `[[[[]]]]`, `{"items":[{"amount":"x"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		var r request
		err := strictjson.Decode(document, &r, "description")
		if err != nil {
			var refused *strictjson.Error
			require.ErrorAs(t, err, &refused)
			require.NotEmpty(t, refused.Problems)
			return
		}
		if strings.Trim(string(document), " \t\r\n") == "" {
			return
		}
		require.True(t, stdjson.Valid(document), "another reader refuses it")
		require.NotContains(t, r.Name, "\x00")
		require.NotContains(t, r.Name, "\n")
		var again request
		require.NoError(t, strictjson.Decode(document, &again, "description"))
		require.Equal(t, r, again)
	})
}

func TestADocumentIsCanonicalWhateverItsOrderSpaceAndEscapes(t *testing.T) {
	for document, want := range map[string]string{
		"":                                  "{}",
		" \n":                               "{}",
		" { } ":                             "{}",
		`{"b":1,"a":{"d":[2, 1],"c":null}}`: `{"a":{"c":null,"d":[2,1]},"b":1}`,
		`{"b": "\u00e9\/", "a" : "<"}`:      `{"a":"<","b":"é/"}`,
		`{"a":1.10,"b":1e3,"c":9007199254740993}`: `{"a":1.10,"b":1e3,"c":9007199254740993}`,
	} {
		read, err := strictjson.Read([]byte(document))
		require.NoError(t, err)
		canonical, err := read.AppendCanonical(nil)
		require.NoError(t, err)
		require.Equal(t, want, string(canonical))
	}
	given := []byte(`{"b":1,"a":2}`)
	read, err := strictjson.Read(given)
	require.NoError(t, err)
	_, err = read.AppendCanonical(nil)
	require.NoError(t, err)
	require.Equal(t, `{"b":1,"a":2}`, string(given), "the document stays as it was sent")
}

func TestAMemberThatIsNullIsToldFromOneThatIsAbsent(t *testing.T) {
	read, err := strictjson.Read([]byte(`{"a":null,"b":0,"c":[null],"d":{"e":null}}`))
	require.NoError(t, err)
	for member, null := range map[string]bool{"a": true, "b": false, "c": false, "d": false, "e": false, "": false} {
		require.Equal(t, null, read.IsNull(member), member)
	}
	require.False(t, strictjson.Document{}.IsNull("a"))
}
