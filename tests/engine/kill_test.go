package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/wallets"
)

// doomed is a process that kills itself at a place of an operation, as a test hands it to
// the process in killVariable.
type doomed struct {
	File, Operation, Place string
	Scope                  ferry.Scope
	From                   wallets.Wallet
}

const killVariable = "FERRY_TEST_KILL"

// killedWorks are the operations that processes are killed in.
var killedWorks = map[string]interface {
	do(t *testing.T, k *keyed, die func(string))
	finish(t *testing.T, k *keyed, after string)
}{"transfer": transfers, "identity": initiations, "checkout": sessions}

func (w work[T, Out]) do(t *testing.T, k *keyed, die func(string)) {
	_, err := engine.Do(t.Context(), k.Engine, "key", visiting(die, w.op(k, 1)))
	require.NoError(t, err)
	die("before the answer")
}

func (w work[T, Out]) finish(t *testing.T, k *keyed, after string) {
	finish(t, k, 0, "key", after, w.op(k, 1), w)
}

func TestAProcessThatIsKilledBetweenItsStepsIsFinishedByTheRetryOfAnother(t *testing.T) {
	if text := os.Getenv(killVariable); text != "" {
		var d doomed
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		k, _ := d.open(t)
		killedWorks[d.Operation].do(t, k, d.dieAt)
		return
	}
	base := doomed{File: sqlitetest.File(t)}
	k, stop := base.open(t)
	k.furnish()
	base.Scope, base.From = k.scope, k.from
	stop()
	for name, w := range killedWorks {
		t.Run(name, func(t *testing.T) {
			deaths := 0
			for _, place := range append(places, "before the answer") {
				d := base
				d.File, d.Operation, d.Place = filepath.Join(t.TempDir(), "ferry.db"), name, place
				content, err := os.ReadFile(base.File)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(d.File, content, 0o600))
				if d.dies(t) {
					deaths++
				}
				k, stop := d.open(t)
				w.finish(t, k, place)
				stop()
			}
			require.GreaterOrEqual(t, deaths, 4, "an operation has not all of the steps")
		})
	}
}

// dies starts a process that does the operation, and reports whether it was killed.
func (d doomed) dies(t *testing.T) bool {
	t.Helper()
	text, err := json.Marshal(d)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAProcessThatIsKilledBetweenItsSteps")
	cmd.Env = append(os.Environ(), killVariable+"="+string(text))
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.False(t, cmd.ProcessState.Exited(), "it ended by itself at %s:\n%s", d.Place, out)
	}
	return err != nil
}

// dieAt kills this process when the place is its own.
func (d doomed) dieAt(place string) {
	if place != d.Place {
		return
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// open opens the file under an engine, beside the world that is in it.
func (d doomed) open(t *testing.T) (k *keyed, stop func()) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), d.File)
	require.NoError(t, err)
	sealer, err := seal.New(make([]byte, seal.KeySize))
	require.NoError(t, err)
	k = &keyed{t: t, clock: apitest.NewClock(), sent: map[string]int{}, scope: d.Scope, from: d.From}
	sent, _ := os.ReadFile(d.File + ".sent") // by processes that died
	for line := range strings.Lines(string(sent)) {
		k.sent[strings.TrimSpace(line)]++
	}
	world := sandbox.New(sandbox.Config{Clock: k.clock, Seed: 3, Store: s.World(), Sealer: sealer})
	k.Engine, err = engine.New(engine.Config{
		Store: s, Clock: k.clock, World: world, Sealer: sealer, Pepper: make(business.Pepper, 32),
		Test: engine.Providers{KYC: writtenKYC{countedKYC{world.KYC(), k}, d.File + ".sent"}},
	})
	require.NoError(t, err)
	return k, func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) }
}

// writtenKYC writes to a file for which attempts it has sent one-time passwords.
type writtenKYC struct {
	countedKYC
	file string
}

func (w writtenKYC) SendOTP(ctx context.Context, attempt string, t kyc.Type, number string) (kyc.Challenge, error) {
	f, err := os.OpenFile(w.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	if _, err = f.WriteString(attempt + "\n"); err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return w.countedKYC.SendOTP(ctx, attempt, t, number)
}
