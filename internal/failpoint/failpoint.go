// Package failpoint names the places in the product at which a crash is most
// telling. Built with the tag failpoint, a process dies at the place that its
// environment names, as by kill -9; without the tag, Hit does nothing and costs
// nothing. tests/crash starts such processes and looks at what they leave.
package failpoint

// Place is a place at which a process can be made to die.
type Place string

const (
	// BeforeCommit stands when all of a transaction is written, and not yet
	// committed.
	BeforeCommit Place = "before-commit"
	// InGroup stands between two units of one group commit.
	InGroup Place = "in-group"
	// AfterCommit stands when a request has had its effect, and its client has
	// heard nothing.
	AfterCommit Place = "after-commit-before-answer"
	// BeforeSend stands when the attempt of a transfer is committed, and not
	// yet sent to the chain.
	BeforeSend Place = "after-attempt-before-send"
	// AfterSend stands when an attempt was sent, and nothing was recorded of it.
	AfterSend Place = "after-send-before-outcome"
	// BeforePay stands when the bank is going to be asked for a payment, and that is
	// recorded.
	BeforePay Place = "after-submission-before-bank"
	// AfterPay stands when the bank was asked for a payment, and nothing was recorded of
	// its answer.
	AfterPay Place = "after-bank-before-outcome"
	// AfterPost stands when a receiver of webhooks has answered, and the
	// outcome is not recorded.
	AfterPost Place = "after-post-before-outcome"
	// InMigration stands before each migration of the schema.
	InMigration Place = "in-migration"
)

// Variable is the variable of the environment that names a place and at which
// visit to die, as in "before-commit:3".
const Variable = "FERRY_FAILPOINT"
