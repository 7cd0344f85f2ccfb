// Package operatorlog keeps who of the operator's people looked at the data of a business, and what they had done
// again, with their reason. Each look is a row of its own, and no row ever changes.
//
// What a program needs:
//
//   - [Note]: writes an [Entry], in the unit of what was done
//   - [Of]: the entries of a business, newest first
//   - [Since]: the entries of an environment, oldest first
//
// Package inspect writes them for the operator's view (docs/operations.md, "The operator's view").
package operatorlog

import (
	"context"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/records"
)

// ID names an entry: opl_ and 32 hexadecimal digits.
type ID string

// Prefix begins the id of an entry.
const Prefix = "opl_"

// Act is what somebody did.
type Act string

const (
	// Read: looked at something that may have personal data.
	Read Act = "read"
	// Resend: had one event sent again.
	Resend Act = "resend"
	// Replay: had all events since an instant sent again.
	Replay Act = "replay"
)

// Entry is one thing that one person did.
type Entry struct {
	ID    ID
	Scope ferry.Scope
	// By is the name of the person, 1 to 100 characters.
	By  string
	Act Act
	// Subject is what it was done with: the id of a resource or an event, the name of a list, or the instant
	// since which events were sent again.
	Subject string
	// Reason says why, for whoever comes next: 1 to 500 characters. A Read has none.
	Reason    string
	CreatedAt time.Time
	Version   int64
}

// The greatest lengths, in code points.
const (
	maxBy      = 100
	maxSubject = 200
	maxReason  = 500
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
}

// Kind is what an entry is as a row.
var Kind = records.Define(records.Kind[ID, Entry]{
	Name: "operator_log",
	Columns: func(e *Entry) []records.Column {
		return []records.Column{
			records.ID(&e.ID), records.Owner(&e.Scope), records.Version(&e.Version),
			records.Text("done_by", &e.By),
			records.Word("act", &e.Act, Read, Resend, Replay),
			records.Text("subject", &e.Subject),
			records.Text("reason", &e.Reason),
			records.CreatedAt(&e.CreatedAt),
		}
	},
	Scope:  func(e *Entry) ferry.Scope { return e.Scope },
	Fixed:  []string{"done_by", "act", "subject", "reason"},
	Lists:  [][]string{{}},
	Groups: []records.Group{{By: []string{"env"}}},
})

// Note writes an entry within a unit, which gives it its id and its time. Errors: ferry.ErrValidation,
// naming by, subject or reason.
func Note(ctx context.Context, tx Tx, e Entry) error {
	var problems ferry.Problems
	var problem string
	e.By, problem = text.Line(e.By, 1, maxBy)
	problems.Note("by", problem)
	e.Subject, problem = text.Line(e.Subject, 1, maxSubject)
	problems.Note("subject", problem)
	shortest := 1
	if e.Act == Read {
		shortest = 0
	}
	e.Reason, problem = text.Line(e.Reason, shortest, maxReason)
	problems.Note("reason", problem)
	if err := problems.Err(); err != nil {
		return err
	}
	e.ID, e.CreatedAt = ID(tx.NewID(Prefix)), tx.Now()
	return Kind.Insert(ctx, tx, e)
}

// Of returns a page of the entries of a business, newest first.
func Of(ctx context.Context, tx records.Tx, scope ferry.Scope, page ferry.Page) (ferry.List[Entry], error) {
	return Kind.Page(ctx, tx, scope, records.Query{}, page)
}

// Since walks the entries of an environment that were written at an instant or later, oldest first. The zero
// instant is the beginning.
func Since(ctx context.Context, tx records.Tx, env ferry.Env, at time.Time) iter.Seq2[Entry, error] {
	return Kind.Walk(ctx, tx, records.Where(records.Is("env", env)).During(ferry.Range{From: at}))
}
