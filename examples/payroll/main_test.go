package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/provider/bank"
)

// asProgram makes the test binary the program itself.
const asProgram = "PAYROLL_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// fileOf writes a payroll of rows of 1,000.25 naira to account numbers that end with a digit.
func fileOf(t *testing.T, rows int, digit string) string {
	var text strings.Builder
	fmt.Fprintln(&text, "reference,bank_code,account_number,amount")
	for n := range rows {
		fmt.Fprintf(&text, "row-%d,058,%09d%s,1000.25\n", n, n+1, digit)
	}
	name := filepath.Join(t.TempDir(), "salaries.csv")
	require.NoError(t, os.WriteFile(name, []byte(text.String()), 0o600))
	return name
}

func argsOf(f *ferrytest.Fake, file string, more ...string) []string {
	return append(more, "-server", f.URL, "-key", f.SecretKey, "-source", f.Business.SourceAccounts[0].AccountNumber, "-every", "10ms", file)
}

// paidBy is how often the bank has paid each reference.
func paidBy(t *testing.T, f *ferrytest.Fake) map[string]int {
	times := map[string]int{}
	var after bank.Cursor
	for {
		page, err := f.Engine.World.Bank().Outcomes(t.Context(), after, 100)
		require.NoError(t, err)
		if len(page) == 0 {
			return times
		}
		for _, o := range page {
			after = o.Cursor
			if o.State == bank.StatePaid {
				times[o.To.AccountNumber]++
			}
		}
	}
}

func TestAPayrollThatIsKilledTenTimesPaysEachRowOnce(t *testing.T) {
	const rows, kills = 60, 10
	f, file := ferrytest.Start(t), fileOf(t, rows, "0")
	random := rand.New(rand.NewPCG(1, 2))
	for range kills {
		program := exec.CommandContext(t.Context(), os.Args[0], argsOf(f, file)...)
		program.Env = append(os.Environ(), asProgram+"=1")
		require.NoError(t, program.Start())
		time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
		require.NoError(t, program.Process.Kill())
		_ = program.Wait() // it was killed
	}
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), argsOf(f, file), &out))
	require.Contains(t, out.String(), "60 of 60 paid, 0 failed")

	paid := paidBy(t, f)
	require.Len(t, paid, rows)
	for account, times := range paid {
		require.Equal(t, 1, times, account)
	}
	findings, err := f.Engine.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, findings)
}

func TestAFileThatWasChangedIsNotPaidAgain(t *testing.T) {
	f, file := ferrytest.Start(t), fileOf(t, 3, "0")
	require.NoError(t, run(t.Context(), argsOf(f, file), new(bytes.Buffer)))

	changed := fileOf(t, 3, "1")
	require.ErrorContains(t, run(t.Context(), argsOf(f, changed), new(bytes.Buffer)), "salaries-1 was made of other rows")
	err := run(t.Context(), argsOf(f, changed, "-name", "corrected"), new(bytes.Buffer))
	require.ErrorIs(t, err, client.CodeDuplicateReference, "a reference of a row is paid once, whatever the run is called")
	require.Len(t, paidBy(t, f), 3)
}

func TestRowsThatTheBankRefusesAreTold(t *testing.T) {
	f, file := ferrytest.Start(t), fileOf(t, 2, "9")
	var out bytes.Buffer
	require.EqualError(t, run(t.Context(), argsOf(f, file), &out), "2 rows were not paid")
	require.Contains(t, out.String(), "0 of 2 paid, 2 failed")
	require.Contains(t, out.String(), "not paid: row-1: ")
}

func TestAFileIsCheckedBeforeAnythingIsSent(t *testing.T) {
	const header = "reference,bank_code,account_number,amount\n"
	for text, problem := range map[string]string{
		"":                          "EOF",
		"a,b\n":                     "wrong number of fields",
		header:                      "there are no rows",
		"name,bank,account,naira\n": "the first line must be",
		header + "a,058,0123456780,1\na,058,0123456781,2\n": `line 3: the reference "a" is that of line 2`,
	} {
		_, err := readRows(strings.NewReader(text))
		require.ErrorContains(t, err, problem, "%q", text)
	}
}
