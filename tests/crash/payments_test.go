package crash_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
)

// A bank that pays, refuses, loses its answer after paying or before, is silent for ever, sends
// money back a day later, fails late, reports twice or another amount: each payment ends as the
// bank's own list says, and what is reserved equals what is open after each death of the server.
func TestEachPaymentEndsAsTheBankSaysWhereverTheServerDies(t *testing.T) {
	t.Parallel()
	var decided atomic.Int64
	t.Cleanup(func() { require.NotZero(t, decided.Load(), "the bank never reported another amount") })
	for n, place := range []failpoint.Place{
		failpoint.BeforeCommit, failpoint.InGroup, failpoint.AfterCommit, failpoint.BeforePay, failpoint.AfterPay,
	} {
		for m, by := range ways {
			if drawn := (n + int(*seed%uint64(len(ways)))) % len(ways); !*everyWay && m != drawn {
				continue
			}
			t.Run(by.name+"/"+string(place), func(t *testing.T) {
				t.Parallel()
				p := newPayroll(t, by, sqliteFile{sqlitetest.File(t)})
				p.dieAgainAndAgain(place)
				decided.Add(int64(len(p.decided)))
			})
		}
	}
}

// everyWay has each way of paying meet each place. Without it each place meets one of them, which is drawn.
var everyWay = flag.Bool("every-way", false, "let servers die at each place with each way of paying")

// storage is a store that servers and the test open in turn.
type storage interface {
	// store is the store as a server is told of it.
	store() string
	open(*testing.T) *sqlstore.Store
	// deaths is how many servers die.
	deaths() int
}

// payroll is payments to many accounts by a server that dies.
type payroll struct {
	*testing.T
	way
	storage
	log    *os.File
	random *rand.Rand
	scope  ferry.Scope
	source string
	// decided is how a person has ended the payments of which the bank reports another amount.
	decided map[string]disburse.Decision
}

// newPayroll asks for two payments for each ending of an account number.
func newPayroll(t *testing.T, by way, on storage) *payroll {
	p := newBusiness(t, on)
	p.way = by
	var numbers []string
	for n := range 20 {
		numbers = append(numbers, fmt.Sprintf("01234567%02d", n))
	}
	p.look(func(e *engine.Engine) { p.ask(p, e, numbers) })
	return p
}

// newBusiness is a business in a store that no server uses.
func newBusiness(t *testing.T, on storage) *payroll {
	log, err := os.Create(filepath.Join(t.TempDir(), "server.log"))
	require.NoError(t, err)
	p := &payroll{T: t, storage: on, log: log, random: rand.New(rand.NewPCG(*seed, 9)), decided: map[string]disburse.Decision{}}
	s := start(t, p.store(), log, death{})
	p.scope, p.source = ferry.Scope{Business: ferry.BusinessID(s.BusinessID), Env: ferry.Test}, s.SourceAccountNumber
	s.kill(t)
	return p
}

// dieAgainAndAgain runs servers that die at a place, then one that lives, and audits and compares
// what they left.
func (p *payroll) dieAgainAndAgain(place failpoint.Place) {
	p.die(place, p.goWrong)
	p.runToItsEnd()
	p.look(p.decide)
	p.look(p.check)
}

// die runs servers that die at a place, each after something is made to go wrong, and audits what
// they left.
func (p *payroll) die(place failpoint.Place, wrong func(*engine.Engine)) {
	died := 0
	for n := range p.deaths() {
		p.look(wrong)
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
}

func (p *payroll) post(s *server, path string, body object) error {
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	answer, err := send(ctx, http.DefaultClient, s, http.MethodPost, path, "", body)
	if err == nil && !answer.ok() {
		err = fmt.Errorf("%s: %d %s", path, answer.status, answer.raw)
	}
	return err
}

// goWrong makes the next calls of the bank go wrong in every way.
func (p *payroll) goWrong(e *engine.Engine) {
	for _, kind := range []sandbox.Kind{sandbox.LateFailure, sandbox.AnswerLost, sandbox.Unavailable, sandbox.Duplicate, sandbox.WrongAmount} {
		require.NoError(p, e.World.Inject(p.Context(), sandbox.TargetBank, kind, 1+p.random.IntN(3)))
	}
}

// runUntilItDies runs a server that dies at a place, and reports whether it came to the place.
func (p *payroll) runUntilItDies(d death) bool {
	s := start(p.T, p.store(), p.log, d)
	if s == nil {
		return true
	}
	defer s.kill(p.T)
	if d.place == failpoint.InGroup {
		defer p.othersComeIn(s)()
	}
	for range 20 {
		if p.post(s, "/v1/test_helpers/clock/advance", object{"seconds": 1 + p.random.IntN(60)}) != nil {
			return true
		}
	}
	return false
}

// meeting is how often others come in, both at the same moment.
const meeting = 50 * time.Millisecond

// othersComeIn makes customers two at a time while payments are made, so that units commit in one
// group. It leaves moments in which nothing is due: Advance waits for one. What it returns ends it.
func (p *payroll) othersComeIn(s *server) func() {
	var ended atomic.Bool
	var busy sync.WaitGroup
	for n := range 2 {
		busy.Go(func() {
			for i := 0; !ended.Load(); i++ {
				time.Sleep(time.Until(time.Now().Truncate(meeting).Add(meeting)))
				serial := fmt.Sprintf("%d%02d%d", s.cmd.Process.Pid, i, n)
				if p.post(s, "/v1/customers", object{
					"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": serial + "@example.com", "phone": "+23480" + serial,
				}) != nil {
					return
				}
			}
		})
	}
	return func() {
		ended.Store(true)
		busy.Wait()
	}
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

// look opens what the last server left, and what ferry dev has sealed.
func (p *payroll) look(at func(*engine.Engine)) {
	left := p.open(p.T)
	defer func() { require.NoError(p, left.Close(context.WithoutCancel(p.Context()))) }()
	sealer, err := seal.New([]byte("ferry-development-key-not-secret"))
	require.NoError(p, err)
	e, err := engine.New(engine.Config{
		Store: left, World: sandbox.New(sandbox.Config{Store: left.World(), Sealer: sealer}), Sealer: sealer, Pepper: business.Pepper(make([]byte, 32)),
	})
	require.NoError(p, err)
	at(e)
}

// decide ends each payment of which the bank reports another amount, as a person does who has
// asked the bank.
func (p *payroll) decide(e *engine.Engine) {
	found, err := e.Reconcile(p.Context(), ferry.Test)
	require.NoError(p, err)
	for _, f := range found.Findings {
		says, err := e.World.Bank().Outcome(p.Context(), f.Subject)
		require.NoError(p, err, f.Text)
		decision := disburse.WasPaid
		if says.State == bank.StateReturned {
			decision = disburse.WasNotPaid
		}
		_, err = e.Resolve(p.Context(), ferry.Test, disburse.Resolution{ID: f.Subject, Decision: decision, By: "Ada", Reason: "The bank says so"})
		require.NoError(p, err, f.Text)
		p.decided[f.Subject] = decision
	}
}

// check compares each payment with what the bank says of it.
func (p *payroll) check(e *engine.Engine) {
	ctx := p.Context()
	found, err := e.Reconcile(ctx, ferry.Test)
	require.NoError(p, err)
	for _, f := range found.Findings {
		require.Contains(p, p.decided, f.Subject, f.Text)
	}
	known := map[string]bool{}
	for _, one := range p.ends(p, e) {
		known[one.key] = true
		says, err := e.World.Bank().Outcome(ctx, one.key)
		if errors.Is(err, bank.ErrUnknownKey) {
			says.State, err = bank.StateFailed, nil // it was never paid
		}
		require.NoError(p, err)
		if p.decided[one.key] == disburse.WasNotPaid {
			says.State = bank.StateFailed // and what it sent came back
		}
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
