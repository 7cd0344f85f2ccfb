package disburse

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Leases() lease.Store
}

// Kind describes the rows of one domain that go out through a bank. All fields are
// required, but for Begin, Failed and CameBack. Buying makes one whose rows go out through a
// biller: what is said here of banks and payments holds for billers and purchases.
type Kind[T Tx, K ~string, P any] struct {
	// Name is what one payment is called in logs and findings, as in "return".
	Name string
	// Queue is the queue of the rows for which the bank is to be asked.
	Queue lease.Kind
	// Rows is their kind.
	Rows *records.Kind[K, P]
	// Order returns what the bank is to pay for a row, and where the row stands.
	Order func(P) Order[K]
	// Progress returns the part of a row that this package keeps.
	Progress func(*P) *Progress
	// Ask asks the bank to make the payment of a row under the key of its order, or what
	// became of it. An error of a refusal says that the bank has not paid under this key,
	// and every other error that nothing is known. It runs outside any unit.
	Ask func(context.Context, bank.Bank, P) (Reply, error)
	// Told returns what the bank sent after a place, at most limit payments.
	Told func(ctx context.Context, b bank.Bank, after bank.Cursor, limit int) ([]Told, error)

	// Begin returns the row as it is while the bank may be asked. It runs in a unit of its
	// own before each call of the bank, so that a row which it moved on can no longer be
	// cancelled. Default: rows stay as they are. ErrNotYet leaves the row as it is. Reported
	// says that the bank reports the payment, so that it was asked for: no row waits then.
	Begin func(ctx context.Context, tx T, p P, reported bool) (P, error)
	// Paid books a payment that the bank has made and returns the row in its last state,
	// in the unit that records the answer.
	Paid func(context.Context, T, P, bank.Outcome) (P, error)
	// Failed gives back what was set aside for a payment that the bank has refused, and
	// returns the row in its last state, in the unit that records the answer. Default: a
	// refusal is not final. The bank is asked again with a growing pause, until the reason
	// is mended.
	Failed func(context.Context, T, P, bank.Outcome) (P, error)
	// CameBack books a payment that had been made and came back, and returns the row, in the
	// unit that records the report. It is called once for a row. Default: none comes back.
	CameBack func(context.Context, T, P, bank.Outcome) (P, error)

	// named and check are those of Paying and Buying. Check returns an error when an outcome is
	// not the one of the payment of a row.
	named func(key string) (like P, mine bool)
	check func(P, bank.Outcome) error
	// sells is how a biller is asked, for a kind of Buying, and receive keeps on a row what the
	// customer gets. Both are nil for a kind that goes out through a bank.
	sells   func(biller.Biller) seller[P]
	receive func(*P, biller.Receipt)
}

// ErrNotYet is what Begin returns for a row that the bank is not to be asked for yet. The
// domain schedules the row when it is.
var ErrNotYet = errors.New("disburse: the payment is not to be made yet")

// Reply is what a bank said of a payment.
type Reply struct {
	bank.Outcome
	// Receipt is what the customer of a biller gets. A bank gives none.
	Receipt biller.Receipt
	// Submitted says that the bank was asked to make the payment, not only what became of it.
	Submitted bool
}

// Order is what a bank is to pay for one row.
type Order[K ~string] struct {
	ID    K
	Scope ferry.Scope
	// Key is by what the bank knows the payment. It never changes.
	Key string
	// Party names the other side, for people, as in "of session 7" or
	// "to 058 0123456789".
	Party  string
	Amount money.Amount
	State  State
}

// State is where a row stands for the bank.
type State int

const (
	// Open: the bank is to be asked, or its answer is not known. The zero value.
	Open State = iota
	// Paid: the bank has made the payment. Final, unless it comes back.
	Paid
	// Back: the bank had made the payment, and it came back. Final.
	Back
	// Failed: the bank has not made the payment and will not be asked again. Final.
	Failed
)

// wasPaid reports whether the bank has made the payment, also when it came back.
func (o Order[K]) wasPaid() bool { return o.State == Paid || o.State == Back }

// Progress is what a row keeps of the answers of a bank that has not paid.
type Progress struct {
	// Answer is the last answer, and Attempts how often it was given in a row.
	Answer   Answer
	Attempts int
	// Submissions is how often the bank was asked to make the payment, as far as that was
	// recorded.
	Submissions int
	// UpdatedAt is when the row changed last.
	UpdatedAt time.Time
}

// Columns are the columns of Progress in a row. Besides Unavailable, the bank may give the
// answers.
func Columns(p *Progress, answers ...Answer) []records.Column {
	return []records.Column{
		records.Word("answer", &p.Answer, append([]Answer{"", Unavailable}, answers...)...),
		records.Int("attempts", &p.Attempts),
		records.Time("updated_at", &p.UpdatedAt),
		records.Int("submissions", &p.Submissions),
	}
}

// PayingColumns are the columns of Progress in a row of a kind of Paying.
func PayingColumns(p *Progress) []records.Column {
	return Columns(p, InProgress, NotAsPaid, UnknownKey, Declined)
}

// Told is a payment that the bank reports.
type Told struct {
	// Key is that of the order, or empty when the payment was not made by this engine.
	Key string
	// Ref is the bank's name of the payment.
	Ref string
	// Party is written as that of an Order.
	Party  string
	Amount money.Amount
	// Back says that the payment came back.
	Back bool
	// Cursor is the place after this payment.
	Cursor bank.Cursor
}

// back says of a payment that came back that it did, as an addition to a finding.
func (t Told) back() string {
	if t.Back {
		return ", and it came back"
	}
	return ""
}

// ScheduleIn makes an order due for RunDue, in the unit that inserts its row. The queue is that of its kind.
func (o Order[K]) ScheduleIn(ctx context.Context, tx Tx, queue lease.Kind, due time.Time) error {
	return tx.Leases().Schedule(ctx, queue.In(o.Scope.Env), lease.RecordKey(o.Scope, string(o.ID)), due)
}
