package crash_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
)

// A bank that pays, refuses, loses its answer after paying or before, is silent for ever, sends
// money back a day later, fails late or reports twice: each payment ends as the bank's own list
// says, and what is reserved equals what is open after each death of the server.
func TestEachPaymentEndsAsTheBankSaysWhereverTheServerDies(t *testing.T) {
	t.Parallel()
	for _, by := range ways {
		for _, place := range []failpoint.Place{
			failpoint.BeforeCommit, failpoint.BeforePay, failpoint.AfterPay,
		} {
			t.Run(by.name+"/"+string(place), func(t *testing.T) {
				t.Parallel()
				newPayroll(t, by).dieAgainAndAgain(place)
			})
		}
	}
}

// payroll is payments to many accounts by a server that dies.
type payroll struct {
	*testing.T
	way
	path   string
	log    *os.File
	random *rand.Rand
	scope  ferry.Scope
	source string
}

// newPayroll asks for two payments for each ending of an account number.
func newPayroll(t *testing.T, by way) *payroll {
	log, err := os.Create(filepath.Join(t.TempDir(), "server.log"))
	require.NoError(t, err)
	p := &payroll{T: t, way: by, path: filepath.Join(t.TempDir(), "ferry.db"), log: log, random: rand.New(rand.NewPCG(*seed, 9))}
	s := start(t, p.store(), log, death{})
	p.scope, p.source = ferry.Scope{Business: ferry.BusinessID(s.BusinessID), Env: ferry.Test}, s.SourceAccountNumber
	s.kill(t)
	var numbers []string
	for n := range 20 {
		numbers = append(numbers, fmt.Sprintf("01234567%02d", n))
	}
	p.look(func(e *engine.Engine) { p.ask(p, e, numbers) })
	return p
}

// dieAgainAndAgain runs servers that die at a place, then one that lives, and audits and compares
// what they left.
func (p *payroll) dieAgainAndAgain(place failpoint.Place) {
	const deaths = 5
	died := 0
	for n := range deaths {
		if p.runUntilItDies(death{place, 1 + p.random.IntN(4*(n+1))}) {
			died++
		}
		p.look(func(e *engine.Engine) {
			findings, err := e.Audit(p.Context(), ferry.Test)
			require.NoError(p, err)
			require.Empty(p, findings, "seed %d, death %d", *seed, n)
		})
	}
	require.NotZero(p, died, "nothing came to the place")
	p.runToItsEnd()
	p.look(p.check)
}

func (p *payroll) store() string { return "sqlite:" + p.path }

func (p *payroll) post(s *server, path string, body object) error {
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	answer, err := send(ctx, http.DefaultClient, s, http.MethodPost, path, "", body)
	if err == nil && !answer.ok() {
		err = fmt.Errorf("%s: %d %s", path, answer.status, answer.raw)
	}
	return err
}

// runUntilItDies runs a server that dies at a place, with a bank that goes wrong, and reports
// whether it came to the place.
func (p *payroll) runUntilItDies(d death) bool {
	s := start(p.T, p.store(), p.log, d)
	if s == nil {
		return true
	}
	defer s.kill(p.T)
	for _, kind := range []sandbox.Kind{sandbox.LateFailure, sandbox.AnswerLost, sandbox.Unavailable, sandbox.Duplicate} {
		if p.post(s, "/v1/test_helpers/faults", object{"target": "bank", "kind": kind, "count": 1 + p.random.IntN(3)}) != nil {
			return true
		}
	}
	for range 20 {
		if p.post(s, "/v1/test_helpers/clock/advance", object{"seconds": 1 + p.random.IntN(60)}) != nil {
			return true
		}
	}
	return false
}

// runToItsEnd runs a server that nothing kills for two days of its time.
func (p *payroll) runToItsEnd() {
	s := start(p.T, p.store(), p.log, death{})
	require.NotNil(p, s)
	defer s.kill(p.T)
	for range 48 {
		require.NoError(p, p.post(s, "/v1/test_helpers/clock/advance", object{"seconds": 3600}))
	}
}

// look opens what the last server left.
func (p *payroll) look(at func(*engine.Engine)) {
	left, err := sqlite.Open(p.Context(), p.path)
	require.NoError(p, err)
	defer func() { require.NoError(p, left.Close(context.WithoutCancel(p.Context()))) }()
	e, err := engine.New(engine.Config{Store: left, World: sandbox.New(sandbox.Config{Store: left.World()}), Pepper: business.Pepper(make([]byte, 32))})
	require.NoError(p, err)
	at(e)
}

// check compares each payment with what the bank says of it.
func (p *payroll) check(e *engine.Engine) {
	ctx := p.Context()
	found, err := e.Reconcile(ctx, ferry.Test)
	require.NoError(p, err)
	require.Empty(p, found.Findings)
	known := map[string]bool{}
	for _, one := range p.ends(p, e) {
		known[one.key] = true
		says, err := e.World.Bank().Outcome(ctx, one.key)
		if errors.Is(err, bank.ErrUnknownKey) {
			says.State, err = bank.StateFailed, nil // it was never paid
		}
		require.NoError(p, err)
		require.Equal(p, says.State, one.state, one.account)
	}
	require.Len(p, known, 20)
	var after bank.Cursor
	for {
		page, err := e.World.Bank().Outcomes(ctx, after, 100)
		require.NoError(p, err)
		if len(page) == 0 {
			return
		}
		for _, o := range page {
			after = o.Cursor
			require.True(p, known[o.Key], "the bank was asked for a payment that nobody asked for: %s", o.Key)
		}
	}
}
