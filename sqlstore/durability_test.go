package sqlstore_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
)

var (
	noon  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	scope = ferry.Scope{Business: "biz_00000000000000000000000000000001", Env: ferry.Test}
	bank  = ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN)
)

const till ledger.AccountID = "till"

// openBooks opens the accounts that deposits move.
func openBooks(ctx context.Context, p store.Ports) error {
	for _, a := range append(ledger.SystemAccounts(ferry.Test), ledger.Account{ID: till, Scope: scope, Asset: money.AssetNGN}) {
		if err := p.Ledger().OpenAccount(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func deposit(id ledger.PostingID) func(context.Context, store.Ports) error {
	return func(ctx context.Context, p store.Ports) error {
		return ledger.Post(ctx, p.Ledger(), ledger.Move(id, ferry.Test, "deposit", "ref", bank, till, money.NGN(1), noon))
	}
}

// posted returns how many deposits the store has, after an audit of its books.
func posted(t testing.TB, s *sqlstore.Store) (total int64) {
	t.Helper()
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		findings, err := ledger.Audit(ctx, p.Ledger(), ferry.Test)
		require.NoError(t, err)
		require.Empty(t, findings)
		a, err := p.Ledger().Account(ctx, till)
		total = a.Posted.Minor()
		return err
	}))
	return total
}

func hasPosting(t testing.TB, s *sqlstore.Store, id ledger.PostingID) bool {
	t.Helper()
	posted := false
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
		posted, err = ledger.Posted(ctx, p.Ledger(), id)
		return err
	}))
	return posted
}

func TestAStoreThatIsOpenedAgainHasWhatWasCommitted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), openBooks))
	require.NoError(t, s.Write(t.Context(), deposit("one")))
	require.NoError(t, s.Close(t.Context()))
	require.ErrorIs(t, s.Write(t.Context(), deposit("two")), sqlstore.ErrClosed)
	require.ErrorIs(t, s.Close(t.Context()), sqlstore.ErrClosed)
	s = open(t, path)
	require.EqualValues(t, 1, posted(t, s))
	require.ErrorIs(t, s.Write(t.Context(), deposit("one")), ledger.ErrPosted)
}

func TestAFencingNumberDoesNotComeAgainAfterAnOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	var last int64
	for range 3 {
		s := open(t, path)
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			return p.Leases().Schedule(ctx, "queue", "key", noon)
		}))
		var claims []lease.Claim
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
			claims, err = p.Leases().Claim(ctx, "queue", noon, time.Hour, 1)
			return err
		}))
		require.Len(t, claims, 1)
		require.Greater(t, claims[0].Fence, last)
		last = claims[0].Fence
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error { return p.Leases().Finish(ctx, claims[0]) }))
		require.NoError(t, s.Close(t.Context()))
	}
}

func TestALeaseDoesNotOutliveTheProcessThatHeldIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	claim := func(s *sqlstore.Store) (claims []lease.Claim) {
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
			claims, err = p.Leases().Claim(ctx, "queue", noon, time.Hour, 1)
			return err
		}))
		return claims
	}
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		return p.Leases().Schedule(ctx, "queue", "key", noon)
	}))
	before := claim(s)
	require.Len(t, before, 1)
	require.Empty(t, claim(s))
	require.NoError(t, s.Close(t.Context()))

	s = open(t, path)
	require.Len(t, claim(s), 1)
	require.ErrorIs(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		return p.Leases().Finish(ctx, before[0])
	}), lease.ErrLost)
}

func TestAFileIsOpenOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	_, err := sqlite.Open(t.Context(), path)
	require.ErrorIs(t, err, sqlite.ErrInUse)
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(path, link))
	_, err = sqlite.Open(t.Context(), link)
	require.ErrorIs(t, err, sqlite.ErrInUse)
	require.NoError(t, s.Close(t.Context()))
	require.NoError(t, open(t, path).Close(t.Context()))
}

func TestANewerSchemaIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	require.NoError(t, open(t, path).Close(t.Context()))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = sqlite.Open(t.Context(), path)
	require.ErrorIs(t, err, sqlstore.ErrNewerSchema)
	require.ErrorContains(t, err, "9999")
}

func TestManyWhoDepositAtOnceAreAllCommitted(t *testing.T) {
	s := fresh(t)
	require.NoError(t, s.Write(t.Context(), openBooks))
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for n := range 20 {
				if err := s.Write(t.Context(), deposit(ledger.PostingID(fmt.Sprintf("%d-%d", i, n)))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 32*20, posted(t, s))
}

func TestAUnitWhoseContextEndsIsCommittedOrNotAndSaysSo(t *testing.T) {
	s := fresh(t)
	require.NoError(t, s.Write(t.Context(), openBooks))
	var wg sync.WaitGroup
	var sure atomic.Int64
	for i := range 16 {
		wg.Go(func() {
			for n := range 20 {
				ctx, cancel := context.WithCancel(t.Context())
				id := ledger.PostingID(fmt.Sprintf("%d-%d", i, n))
				err := s.Write(ctx, func(ctx context.Context, p store.Ports) error {
					defer func() { go cancel() }()
					return deposit(id)(ctx, p)
				})
				if err == nil {
					sure.Add(1)
				}
				if found := hasPosting(t, s, id); found != (err == nil) {
					t.Errorf("%s: there %v, error %v", id, found, err)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, sure.Load(), posted(t, s))
}

// childPath names the file that the child process of a crash test writes to.
const childPath = "FERRY_SQLSTORE_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		depositWithoutEnd(path)
	}
	pgtest.Main(m)
}

// depositWithoutEnd is the child process: it prints each id once its commit is
// acknowledged.
func depositWithoutEnd(path string) {
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		panic(err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := 0; ; n++ {
				id := ledger.PostingID(fmt.Sprintf("%d-%d-%d", os.Getpid(), i, n))
				if s.Write(context.Background(), deposit(id)) == nil {
					mu.Lock()
					fmt.Println(id)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
}

// killChild runs the child until it has acknowledged so many deposits, kills it
// and returns all that it acknowledged.
func killChild(t *testing.T, path string, after int) (acknowledged []ledger.PostingID) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childPath+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		acknowledged = append(acknowledged, ledger.PostingID(lines.Text()))
		if len(acknowledged) == after {
			_, err := sqlite.Open(t.Context(), path)
			require.ErrorIs(t, err, sqlite.ErrInUse, "while another process has it")
			require.NoError(t, cmd.Process.Kill())
		}
	}
	require.Error(t, cmd.Wait())
	require.GreaterOrEqual(t, len(acknowledged), after)
	return acknowledged
}

func TestWhatWasAcknowledgedSurvivesAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), openBooks))
	require.NoError(t, s.Close(t.Context()))
	known := int64(0)
	for round := range 5 {
		acknowledged := killChild(t, path, 50+round*37)
		s := open(t, path)
		for _, id := range acknowledged {
			require.True(t, hasPosting(t, s, id), "%s was acknowledged", id)
		}
		known += int64(len(acknowledged))
		require.GreaterOrEqual(t, posted(t, s), known)
		require.NoError(t, s.Close(t.Context()))
	}
}

func TestALogThatIsCutLeavesABeginningOfTheHistory(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), openBooks))
	opened, err := os.Stat(path + "-wal")
	require.NoError(t, err)
	for n := range 30 {
		require.NoError(t, s.Write(t.Context(), deposit(ledger.PostingID(strconv.Itoa(n)))))
	}
	base, err := os.ReadFile(path)
	require.NoError(t, err)
	log, err := os.ReadFile(path + "-wal")
	require.NoError(t, err)
	require.NotEmpty(t, log)
	last := int64(30)
	books := int(opened.Size()) // before them there is nothing to audit
	for cut := len(log); cut > books; cut -= (len(log)-books)/20 + 13 {
		copied := filepath.Join(folder, fmt.Sprintf("cut-%d.db", cut))
		require.NoError(t, os.WriteFile(copied, base, 0o600))
		require.NoError(t, os.WriteFile(copied+"-wal", log[:cut], 0o600))
		last = isBeginning(t, copied, last)
	}
	require.Less(t, last, int64(30))
}

// isBeginning checks that a store has the first deposits and none after them, at
// most so many, and returns how many.
func isBeginning(t *testing.T, path string, most int64) int64 {
	s := open(t, path)
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	n := posted(t, s)
	require.LessOrEqual(t, n, most)
	for i := range int64(31) {
		require.Equal(t, i < n, hasPosting(t, s, ledger.PostingID(strconv.FormatInt(i, 10))))
	}
	return n
}
