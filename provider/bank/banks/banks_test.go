package banks_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/bank/banks"
)

func TestEveryBankHasANameAndIsKnownByEitherOfItsCodes(t *testing.T) {
	cbn, nip := regexp.MustCompile(`^([0-9]{3})?$`), regexp.MustCompile(`^([0-9]{6})?$`)
	names, codes := map[string]bool{}, map[string]bool{}
	require.Greater(t, len(banks.All()), 80)
	for _, b := range banks.All() {
		require.NotEmpty(t, b.Name)
		require.Equal(t, strings.TrimSpace(b.Name), b.Name)
		require.False(t, names[b.Name], "two banks are called %s", b.Name)
		names[b.Name] = true
		require.Regexp(t, cbn, b.CBN)
		require.Regexp(t, nip, b.NIP)
		require.NotEmpty(t, b.Code(), b.Name)
		for _, code := range []string{b.CBN, b.NIP} {
			if code == "" {
				continue
			}
			require.False(t, codes[code], "two banks have %s", code)
			codes[code] = true
			found, ok := banks.Find(code)
			require.True(t, ok)
			require.Equal(t, b, found)
			require.Empty(t, banks.Problem(code), b.Name)
		}
	}
}

func TestBanksThatEverybodyPaysToAreThere(t *testing.T) {
	for code, name := range map[string]string{
		"058": "Guaranty Trust Bank", "000013": "Guaranty Trust Bank", "044": "Access Bank", "000014": "Access Bank",
		"090267": "Kuda Microfinance Bank", "100004": "OPay", "120001": "9 Payment Service Bank", "999": "Sandbox Bank",
	} {
		b, ok := banks.Find(code)
		require.True(t, ok, code)
		require.Equal(t, name, b.Name)
	}
}

func TestACodeThatNoBankCanHaveIsRefused(t *testing.T) {
	for _, code := range []string{"", "58", "0580", "05800", "0000130", "05x", "058 ", "+58", "０５８"} {
		require.Equal(t, "Must be 3 or 6 digits", banks.Problem(code), code)
	}
	for _, code := range []string{"000", "059", "998", "999999", "058058"} {
		require.Equal(t, "Is not the code of a bank", banks.Problem(code), code)
	}
}

func TestAnInstitutionThatIsNewAtNIBSSCanBePaid(t *testing.T) {
	_, known := banks.Find("090999")
	require.False(t, known)
	require.Empty(t, banks.Problem("090999"))
}

func TestWhoChangesTheListChangesNobodyElses(t *testing.T) {
	banks.All()[0].Name = "Mine"
	require.NotEqual(t, "Mine", banks.All()[0].Name)
}
