package ferry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

// refusals returns the fields that Check refuses, in its order.
func refusals(m ferry.Metadata) []ferry.Field {
	var p ferry.Problems
	m.Check("metadata", &p)
	if err, ok := errors.AsType[*ferry.Error](p.Err()); ok {
		return err.Fields
	}
	return nil
}

func keys(n int) ferry.Metadata {
	m := ferry.Metadata{}
	for i := range n {
		m[fmt.Sprintf("key%02d", i)] = "x"
	}
	return m
}

func TestMetadataTakesTextsNumbersAndBooleans(t *testing.T) {
	require.Empty(t, refusals(nil))
	require.Empty(t, refusals(keys(10)))
	require.Empty(t, refusals(ferry.Metadata{
		"text": strings.Repeat("é", 500), "number": json.Number("1e400"), "flag": true, "removed": nil,
		"composed": strings.Repeat("e\u0301", 500), strings.Repeat("ß", 100): "",
	}))
}

func TestMetadataRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		m    ferry.Metadata
		want ferry.Field
	}{
		"an eleventh key":       {keys(11), ferry.Field{Name: "metadata", Message: "Must have at most 10 keys"}},
		"a long text":           {ferry.Metadata{"k": strings.Repeat("é", 501)}, ferry.Field{Name: "metadata.k", Message: "Must be at most 500 characters"}},
		"a long number":         {ferry.Metadata{"k": json.Number(strings.Repeat("1", 501))}, ferry.Field{Name: "metadata.k", Message: "Must be at most 500 characters"}},
		"an empty key":          {ferry.Metadata{"": "x"}, ferry.Field{Name: "metadata", Message: "Keys must have 1 to 100 characters"}},
		"a long key":            {ferry.Metadata{strings.Repeat("k", 101): "x"}, ferry.Field{Name: "metadata", Message: "Keys must have 1 to 100 characters"}},
		"an object":             {ferry.Metadata{"k": map[string]any{}}, ferry.Field{Name: "metadata.k", Message: "Must be a string, number or boolean"}},
		"a list":                {ferry.Metadata{"k": []any{"x"}}, ferry.Field{Name: "metadata.k", Message: "Must be a string, number or boolean"}},
		"a number of a Go type": {ferry.Metadata{"k": 1.5}, ferry.Field{Name: "metadata.k", Message: "Must be a string, number or boolean"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, []ferry.Field{c.want}, refusals(c.m))
		})
	}
}

func TestMetadataIsRefusedInTheOrderOfItsKeys(t *testing.T) {
	for range 20 {
		require.Equal(t, []ferry.Field{
			{Name: "metadata.a", Message: "Must be a string, number or boolean"},
			{Name: "metadata.b", Message: "Must be a string, number or boolean"},
			{Name: "metadata.c", Message: "Must be a string, number or boolean"},
		}, refusals(ferry.Metadata{"c": 1, "a": 1, "b": 1, "d": "fine"}))
	}
}

func TestMergingMetadataReplacesAddsAndRemoves(t *testing.T) {
	old := ferry.Metadata{"keep": "1", "change": "2", "drop": "3"}
	patch := ferry.Metadata{"change": true, "drop": nil, "add": json.Number("4"), "unknown": nil}

	require.Equal(t, ferry.Metadata{"keep": "1", "change": true, "add": json.Number("4")}, old.Merge(patch))
	require.Equal(t, ferry.Metadata{"keep": "1", "change": "2", "drop": "3"}, old)
	require.Len(t, patch, 4)
	require.Equal(t, ferry.Metadata{}, ferry.Metadata(nil).Merge(nil))
	require.Equal(t, ferry.Metadata{"a": "1"}, ferry.Metadata(nil).Merge(ferry.Metadata{"a": "1", "b": nil}))
}
