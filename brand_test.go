package ferry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

func TestOneWordNamesTheService(t *testing.T) {
	require.Equal(t, ferry.Brand{"service", "x-service-signature", "tsara_fee", "service-checkout", ""}, ferry.Brand{}.Complete())
	require.Equal(t, ferry.Brand{"acme", "x-acme-signature", "tsara_fee", "acme-checkout", "acme"}, ferry.Brand{Name: "acme"}.Complete())
	given := ferry.Brand{"acme", "x-hook", "acme_fee", "till", "Acme"}
	require.Equal(t, given, given.Complete(), "what is given stays")
	require.NoError(t, given.Check())
	for _, name := range []string{"Acme", "ac me", "1acme", "acme-pay", "x'y"} {
		require.ErrorContains(t, ferry.Brand{Name: name}.Check(), "brand.name: must be")
	}
	require.ErrorContains(t, ferry.Brand{Global: "a.b"}.Check(), "brand.global: must be")
}
