package payouts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payouts"
)

func TestACodeThatNoBankHasIsRefusedByName(t *testing.T) {
	for code, want := range map[string]string{
		"058": "", "000013": "", "999": "", "090999": "",
		"059": "Is not the code of a bank", "0580": "Must be 3 or 6 digits", "": "Missing required field",
	} {
		var problems ferry.Problems
		payouts.CheckAccount("beneficiary.", code, "0123456780", &problems)
		if want == "" {
			require.NoError(t, problems.Err(), code)
			continue
		}
		var refused *ferry.Error
		require.ErrorAs(t, problems.Err(), &refused, code)
		require.Equal(t, []ferry.Field{{Name: "beneficiary.bank_code", Message: want}}, refused.Fields, code)
	}
}
