package strictjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/strictjson"
)

func TestOfManyProblemsTheFirstTwentyAreNamed(t *testing.T) {
	for name, document := range map[string]string{
		"wrong types":        `{"tags":[` + strings.Repeat(`0,`, 50) + `0]}`,
		"control characters": `{"tags":[` + strings.Repeat(`"\u0000",`, 50) + `"a"]}`,
		"of both kinds":      `{"tags":[` + strings.Repeat(`"\u0000",0,`, 50) + `"a"]}`,
	} {
		t.Run(name, func(t *testing.T) { require.Len(t, problems(t, document), strictjson.MaxProblems) })
	}
}

func TestALongPathIsCut(t *testing.T) {
	long := strings.Repeat("é", strictjson.MaxName/2)
	for name, document := range map[string]string{
		"of a control character": `{"` + long + `":{"a":"\u0000"}}`,
		"of a wrong type":        `{"named":{"` + long + `":0}}`,
		"of a name twice":        `{"` + long + `":{"a":0,"a":0}}`,
		"of a crowd":             `{"` + long + `":[` + strings.Repeat(`0,`, strictjson.MaxElements) + `0]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var v struct {
				Named map[string]string `json:"named"`
			}
			var refused *strictjson.Error
			require.ErrorAs(t, strictjson.Decode([]byte(document), &v), &refused)
			require.LessOrEqual(t, len(refused.Problems[0].Path), strictjson.MaxPath)
			require.Regexp(t, `^(named\.)?é+…$`, refused.Problems[0].Path)
		})
	}
}

func TestCrowdedDocumentsAreRefused(t *testing.T) {
	named := func(n int) string {
		var doc strings.Builder
		for i := range n {
			doc.WriteString(`"` + strings.Repeat("n", i+1) + `":0,`)
		}
		return strings.TrimSuffix(doc.String(), ",")
	}
	_, err := decode(`{` + named(strictjson.MaxMembers) + `}`)
	require.NoError(t, err)
	require.Equal(t, []strictjson.Problem{{Reason: strictjson.TooManyMembers}}, problems(t, `{`+named(strictjson.MaxMembers+1)+`}`))
	require.Equal(t, []strictjson.Problem{{Path: "metadata", Reason: strictjson.TooManyMembers}},
		problems(t, `{"metadata":{`+named(strictjson.MaxMembers+1)+`}}`))
	_, err = decode(`{"x":[` + strings.Repeat(`0,`, strictjson.MaxElements-1) + `0]}`)
	require.NoError(t, err)
	require.Equal(t, []strictjson.Problem{{Path: "x.0", Reason: strictjson.TooManyElements}},
		problems(t, `{"x":[[`+strings.Repeat(`0,`, strictjson.MaxElements)+`0]]}`))
}

func TestALongNameIsRefused(t *testing.T) {
	long := strings.Repeat("n", strictjson.MaxName)
	_, err := decode(`{"` + long + `":{"` + long + `":"` + long + long + `"}}`)
	require.NoError(t, err)
	require.Equal(t, []strictjson.Problem{{Path: "x", Reason: strictjson.LongName}}, problems(t, `{"x":{"`+long+`n":0}}`))
}

func TestALongTextIsRefused(t *testing.T) {
	for document, path := range map[string]string{
		`{"name":"%s"}`: "name", `{"amount":"%s"}`: "amount", `{"metadata":{"a":"%s"}}`: "metadata.a", `{"tags":["a","%s"]}`: "tags.1",
	} {
		longest := strings.Repeat("é", strictjson.MaxText/2-1)
		_, err := decode(strings.Replace(document, "%s", longest, 1))
		require.NoError(t, err)
		require.Equal(t, []strictjson.Problem{{Path: path, Reason: strictjson.LongText}},
			problems(t, strings.Replace(document, "%s", longest+"a", 1)))
	}
	digits := strings.Repeat("9", strictjson.MaxText+1)
	for member, path := range map[string]string{"amount": "amount", "count": "count"} {
		require.Equal(t, []strictjson.Problem{{Path: path, Reason: strictjson.LongText}}, problems(t, `{"`+member+`":`+digits+`}`))
	}
	_, err := decode(`{"x":"` + digits + `"}`)
	require.NoError(t, err, "what nobody asks for may be long")
}
