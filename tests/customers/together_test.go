package customers_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
)

var home = ferry.Scope{Business: "biz_00000000000000000000000000000001", Env: ferry.Test}

type clock struct{}

func (clock) Now() time.Time { return time.Date(2026, 3, 2, 9, 15, 0, 120e6, time.UTC) }

// counted is an identity provider that counts the messages it sends.
type counted struct {
	kyc.Provider
	sent atomic.Int32
}

func (p *counted) SendOTP(ctx context.Context, attempt string, t kyc.Type, number string) (kyc.Challenge, error) {
	p.sent.Add(1)
	return p.Provider.SendOTP(ctx, attempt, t, number)
}

func TestThirtyInitiationsAtOnceSendOneMessage(t *testing.T) {
	file := sqlitetest.Open(t)
	provider := &counted{Provider: sandbox.New(sandbox.Config{Clock: clock{}}).KYC()}
	sealer, err := seal.New(bytes.Repeat([]byte{7}, seal.KeySize))
	require.NoError(t, err)
	units := store.Open(file, ferry.OneClock(clock{}), ferry.NewIDs(rand.NewChaCha8([32]byte{1})))
	service := customers.New(ferry.Narrow(units, func(tx store.Tx) customers.Tx { return tx }), customers.Config{
		Providers: map[ferry.Env]kyc.Provider{ferry.Test: provider}, Sealer: sealer,
	})
	ada, err := service.Create(t.Context(), home, customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348000000001",
	})
	require.NoError(t, err)

	op := service.InitiateOp(home, customers.InitiateParams{Type: kyc.BVN, Number: "22212345670", CustomerID: ada.ID})
	outcomes := make([]customers.Outcome, 30)
	var recorded, working sync.WaitGroup
	recorded.Add(len(outcomes))
	for i := range outcomes {
		working.Go(func() {
			steps := op.Begin()
			err := op.Units.Write(t.Context(), func(ctx context.Context, tx customers.Tx) error {
				_, err := steps.Record(ctx, tx, "")
				return err
			})
			recorded.Done()
			if !assert.NoError(t, err) {
				return
			}
			recorded.Wait()
			steps.Act(t.Context())
			step, err := ferry.InUnit(t.Context(), op.Units, steps.Conclude)
			assert.NoError(t, err)
			outcomes[i] = step.Out
		})
	}
	working.Wait()
	for _, o := range outcomes {
		require.NoError(t, o.Refused)
		require.Equal(t, outcomes[0].Identity.ID, o.Identity.ID, "the same initiation")
		require.Equal(t, customers.IdentitySent, o.Identity.Status)
		require.Equal(t, outcomes[0].Number, o.Number)
	}
	require.EqualValues(t, 1, provider.sent.Load())
}
