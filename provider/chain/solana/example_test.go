package solana_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

// A configuration for devnet does not run on a node of mainnet.
func ExampleOpen() {
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%q}`, solana.Mainnet.Genesis)
	}))
	defer node.Close()
	feePayer, err := chain.NewSeed(rand.Reader) // a program keeps it, sealed
	if err != nil {
		panic(err)
	}
	_, err = solana.Open(context.Background(), solana.Config{
		Cluster: solana.Devnet, Endpoints: []string{node.URL}, FeePayer: feePayer,
	})
	fmt.Println(errors.Is(err, solana.ErrOtherChain))
	// Output: true
}
