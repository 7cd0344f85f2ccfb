package records

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// described is a value that says what it is, in words for people.
type described interface{ Type() string }

// Type says what the values of a column are.
func (textValue[T]) Type() string     { return "text" }
func (optionalValue[T]) Type() string { return "text or none" }
func (intValue[T]) Type() string      { return "integer" }
func (uintValue) Type() string        { return "integer, not negative" }
func (boolValue) Type() string        { return "boolean" }
func (bytesValue) Type() string       { return "bytes or none" }
func (blobValue[T]) Type() string     { return "text or none, as bytes" }
func (timeValue) Type() string        { return "instant or none" }
func (documentValue[T]) Type() string { return "JSON or none" }
func (assetValue) Type() string       { return "asset" }
func (moneyAsset) Type() string       { return "asset of the amount, or empty" }
func (moneyMinor) Type() string       { return "amount in minor units" }
func (v amountValue) Type() string    { return "amount of " + v.asset.String() + " in minor units" }
func (madeValue) Type() string        { return "text that the row makes; written only" }
func (v foldedValue) Type() string    { return "text, folded; written only" }

// Type says what the values of a column are.
func (v MarkedValue) Type() string { return "text, behind " + v.mark + " when it is marked" }

func (v wordValue[T]) Type() string {
	words := make([]string, len(v.words))
	for i, w := range v.words {
		if words[i] = string(w); w == "" {
			words[i] = `""`
		}
	}
	return strings.Join(words, ", ")
}

// Describe writes what a kind declares, as a section of docs/records.md.
func (k *Shape) Describe(w io.Writer) {
	fmt.Fprintf(w, "\n## %s\n\n| Column | Holds | Fixed |\n|---|---|---|\n", k.Name)
	for at, c := range k.bind().Cells {
		holds := fmt.Sprintf("%T", c.Value)
		if t, is := c.Value.(described); is {
			holds = t.Type()
		}
		fixed := ""
		if slices.Contains(k.fixed, at) {
			fixed = "yes"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", c.Name, holds, fixed)
	}
	fmt.Fprintln(w)
	facts := []string{"Key: " + strings.Join(k.Key, " + ") + said(", missing: ", k.Missing) + said(", taken: ", k.Exists)}
	for _, u := range k.Unique {
		facts = append(facts, "unique: "+strings.Join(u.Columns, " + ")+u.When.describe()+said(", taken: ", u.Taken))
	}
	facts = append(facts, listed("counted list", k.Lists[:k.counted])...)
	facts = append(facts, listed("short list", k.Lists[k.counted:])...)
	for _, g := range k.Groups {
		facts = append(facts, "group: "+strings.Join(g.By, " + ")+g.When.describe())
	}
	if len(k.Search) > 0 {
		facts = append(facts, "searched: "+strings.Join(k.Search, ", "))
	}
	fmt.Fprintf(w, "%s.\n", strings.Join(facts, "; "))
}

// describe says what a name or a group requires, behind it.
func (m Match) describe() string {
	switch {
	case m.Column == "":
		return ""
	case m.Is == Absent:
		return " where " + m.Column + " is none"
	}
	return " where " + m.Column + " is " + m.Text
}

// said is what an error says, behind what it is for; nothing without one.
func said(what string, err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf("%s%q", what, err)
}

// listed names sets of columns by what they are.
func listed(what string, sets [][]string) (facts []string) {
	for _, columns := range sets {
		by := "all"
		if len(columns) > 0 {
			by = strings.Join(columns, " + ")
		}
		facts = append(facts, what+": "+by)
	}
	return facts
}
