// Package chaintest is the executable contract of the port in package chain.
// An adapter hands Run a Subject and needs no tests of its own for what the
// port promises. A subject that is also Faulty is tested with a chain, a node
// and a network that misbehave.
//
//	func TestMine(t *testing.T) {
//		chaintest.Run(t, func(t *testing.T) chaintest.Subject { return open(t) })
//	}
package chaintest

import (
	"context"
	"errors"
	"testing"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// Subject is a chain under test, and what a test does to it from outside.
type Subject interface {
	Chain() chain.Chain
	// Deposit sends USDC from outside to an owner or a token account.
	Deposit(ctx context.Context, to chain.Address, amount money.Amount) (chain.Signature, error)
	// DepositOther sends units of another token, whose mint it returns.
	DepositOther(ctx context.Context, to chain.Address, units int64) (chain.Signature, chain.Address, error)
	// TokenAccount is an owner's token account for a mint.
	TokenAccount(ctx context.Context, owner, mint chain.Address) (chain.Address, error)
	// Landmarks are addresses that cannot receive USDC.
	Landmarks(ctx context.Context) (Landmarks, error)
	// Pass lets the time pass in which the chain makes about so many blocks.
	Pass(ctx context.Context, blocks int) error
}

// Landmarks are addresses that every chain has.
type Landmarks struct {
	// Mint is that of USDC, FeePayer pays for transactions, Program is any
	// program.
	Mint, FeePayer, Program chain.Address
}

// Faulty is a Subject that goes wrong on request.
type Faulty interface {
	// Inject makes the next count calls or transactions that the fault
	// applies to go wrong. Errors: ErrNoFault.
	Inject(ctx context.Context, fault Fault, count int) error
}

// ErrNoFault says that a subject cannot go wrong in that way.
var ErrNoFault = errors.New("chaintest: no such fault")

// Fault is a way to go wrong.
type Fault string

const (
	// Unavailable: the call has no effect and no answer.
	Unavailable Fault = "unavailable"
	// AnswerLost: Send takes effect, and its answer is lost.
	AnswerLost Fault = "answer_lost"
	// FalseError: Send refuses a transaction that was accepted.
	FalseError Fault = "false_error"
	// AlreadyProcessed: Send says that the transaction was processed before.
	AlreadyProcessed Fault = "already_processed"
	// SubmissionLost: Send answers nil, and the submission is lost.
	SubmissionLost Fault = "submission_lost"
	// LandedLate: the transaction lands close to its last valid height.
	LandedLate Fault = "landed_late"
	// ForkDropped: the transaction is confirmed, then dropped for good.
	ForkDropped Fault = "fork_dropped"
	// ForkLandedAgain: the transaction is confirmed, dropped, and lands again.
	ForkLandedAgain Fault = "fork_landed_again"
	// ProgramError: the transaction lands with an error.
	ProgramError Fault = "program_error"
	// DeadBlockhash: Sign uses a blockhash of an abandoned fork.
	DeadBlockhash Fault = "dead_blockhash"
	// Lagging: the node answers as of some blocks ago.
	Lagging Fault = "lagging"
	// HeightJump: the height jumps beyond the life of every blockhash.
	HeightJump Fault = "height_jump"
	// Duplicate: History reports a movement twice.
	Duplicate Fault = "duplicate"
)

// PacketSize is how many bytes a signed payment has at most.
const PacketSize = 1232

// Run tests a chain. open returns a fresh subject, or one that is shared: the
// suite uses fresh addresses only.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	groups := []struct {
		name string
		test func(run runner)
	}{
		{"Inspect", testInspect},
		{"Sign", testSign},
		{"Payments", testPayments},
		{"Statuses", testStatuses},
		{"History", testHistory},
		{"Change tokens", testChangeTokens},
		{"Activity", testActivity},
		{"Sent", testSent},
		{"Holdings", testHoldings},
		{"Faults of the network", testNetworkFaults},
		{"Faults of the chain", testChainFaults},
		{"Jumps of the height", testJumps},
		{"Faults of the node", testNodeFaults},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			g.test(func(name string, test func(t *testing.T, s *stage)) {
				t.Run(name, func(t *testing.T) { test(t, newStage(t, open(t))) })
			})
		})
	}
}

// runner runs a test on a stage of its own.
type runner func(name string, test func(t *testing.T, s *stage))
