package bills_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/biller"
)

func TestAPhoneIsOneNumberHoweverItIsWritten(t *testing.T) {
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	verify := func(s biller.Service, provider, number string) (string, error) {
		v, err := e.Bills.Verify(t.Context(), ferry.Test, bills.Params{Service: s, Provider: provider, Number: number})
		return v.Number, err
	}
	for _, given := range []string{
		"08031234567", "+2348031234567", "2348031234567", "8031234567", "+234 (0) 803 123-4567", " 0803 123 4567 ", "+23408031234567",
	} {
		number, err := verify(biller.Airtime, "mtn", given)
		require.NoError(t, err, given)
		require.Equal(t, "08031234567", number, given)
	}
	for _, given := range []string{"0803123456", "080312345678", "06031234567", "+448031234567", "0803123456a", "0", "٠٨٠٣١٢٣٤٥٦٧"} {
		_, err := verify(biller.Data, "mtn", given)
		require.ErrorIs(t, err, ferry.ErrValidation, given)
	}
	for given, problem := range map[string]bool{"7023456780": false, "70234567801": false, "702345678": true, "702345678012": true} {
		_, err := verify(biller.CableTV, "dstv", given)
		require.Equal(t, problem, err != nil, given)
	}
}
