package solana_test

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// somebody is an owner.
const somebody chain.Address = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

func seed(t testing.TB) chain.Seed {
	s, err := chain.NewSeed(rand.Reader)
	require.NoError(t, err)
	secrets.watch(s)
	return s
}

// transfer pays so many millionths of USDC from one stranger to another.
func transfer(micro int64) chain.Transfer {
	return chain.Transfer{
		Sources: []chain.Source{{Address: "2q7pyhPwAwZ3QMfZrnAbDhnh9mDUqycszcpf86VgQxhF", Amount: money.USDC(micro)}}, Destination: somebody, Memo: "m",
	}
}
