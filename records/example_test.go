package records_test

import (
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// A domain declares what its rows are. The stores derive tables, checks and lists from it.
func ExampleDefine() {
	type label struct {
		ID      string
		Scope   ferry.Scope
		Version int64
		Order   string
	}
	labels := records.Define(records.Kind[string, label]{
		Name: "labels",
		Columns: func(l *label) []records.Column {
			return []records.Column{
				records.ID(&l.ID), records.Owner(&l.Scope), records.Version(&l.Version), records.Text("order_name", &l.Order),
			}
		},
		Scope:  func(l *label) ferry.Scope { return l.Scope },
		Unique: []*records.Unique{{Columns: []string{"env", "business", "order_name"}}},
		Fixed:  []string{"order_name"},
	})
	fmt.Println(labels.Name, labels.ColumnNames())
	// Output: labels [id env business version order_name]
}
