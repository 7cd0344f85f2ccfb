package solana_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

func answering(result string) func(w http.ResponseWriter, method string, id json.RawMessage) {
	return func(w http.ResponseWriter, _ string, id json.RawMessage) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	}
}

func TestAListWithAHoleIsNoAnswer(t *testing.T) {
	c, nodes := cannedNodes(t, 1)
	for _, result := range []string{`[null]`, `[null,null]`, `null`} {
		nodes[0].answer = answering(result)
		require.NotPanics(t, func() { _, _ = c.History(t.Context(), somebody, "", 10) }, result)
		require.NotPanics(t, func() { _, _ = c.Sent(t.Context(), "", 10) }, result)
	}
}

func TestAnAccountWithoutDataIsNoTokenAccount(t *testing.T) {
	c, nodes := cannedNodes(t, 1)
	for _, data := range []string{`null`, `{}`, `[]`, `["","base64"]`, `["AA==","base64"]`} {
		nodes[0].answer = answering(`{"context":{"slot":5},"value":[{"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","lamports":1,"data":` + data + `}]}`)
		require.NotPanics(t, func() { _, _ = c.Holdings(t.Context(), []chain.Address{somebody}) }, data)
	}
}

func TestABlockOfNothingIsRead(t *testing.T) {
	c, nodes := cannedNodes(t, 1)
	s := solana.Scanning(c)
	nodes[0].answer = func(w http.ResponseWriter, method string, id json.RawMessage) {
		result := map[string]string{"getSlot": "5", "getBlocks": "[6]", "getBlock": `{"transactions":[{"meta":null},{"meta":{"preTokenBalances":[{}],"postTokenBalances":[{"accountIndex":9}]}}]}`}[method]
		answering(result)(w, method, id)
	}
	require.NotPanics(t, func() { _, _ = s.Activity(t.Context(), "") })
}

// A cursor must not pass blocks that no node has listed.
func TestANodeThatListsNoBlocksMovesNoCursor(t *testing.T) {
	c, nodes := cannedNodes(t, 1)
	s := solana.Scanning(c)
	nodes[0].answer = func(w http.ResponseWriter, method string, id json.RawMessage) {
		answering(map[string]string{"getSlot": "105", "getBlocks": "[]"}[method])(w, method, id)
	}
	a, err := s.Activity(t.Context(), "100")
	require.NoError(t, err)
	require.Equal(t, chain.Cursor("100"), a.Cursor, "slots 101 to 105 are final, and were not read")
}

// The time of a block that a node has cleaned up is no reason to keep all payments of a batch open.
func TestAPaymentIsFinalThoughTheTimeOfItsBlockIsNotKnown(t *testing.T) {
	c, nodes := cannedNodes(t, 1)
	nodes[0].answer = func(w http.ResponseWriter, method string, id json.RawMessage) {
		switch method {
		case "getEpochInfo":
			answering(`{"absoluteSlot":500,"blockHeight":400}`)(w, method, id)
		case "getSignatureStatuses":
			answering(`{"context":{"slot":510},"value":[{"slot":3,"confirmations":null,"err":null,"confirmationStatus":"finalized"}]}`)(w, method, id)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Block 3 cleaned up, does not exist on node"}}`, id)
		}
	}
	report, err := c.Statuses(t.Context(), []chain.Signature{"5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUYv"})
	require.NoError(t, err)
	require.Equal(t, chain.Finalized, report.Statuses[0].Commitment)
}

func TestAnotherNodeIsAskedWhenOneKeepsNoHistory(t *testing.T) {
	c, nodes := cannedNodes(t, 2)
	nodes[0].answer = func(w http.ResponseWriter, _ string, id json.RawMessage) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32011,"message":"Transaction history is not available from this node"}}`, id)
	}
	nodes[1].answer = answering(`[]`)
	_, err := c.History(t.Context(), somebody, "", 10)
	require.NoError(t, err)
}

func TestANodeThatIsNamedTwiceIsNoSecondWitness(t *testing.T) {
	_, err := solana.Open(t.Context(), solana.Config{
		Cluster: solana.Devnet, Endpoints: []string{"http://127.0.0.1:1", "http://127.0.0.1:1"}, FeePayer: seed(t),
	})
	require.ErrorContains(t, err, "Endpoints[1]")
}

func TestABlockhashWithoutItsLastHeightIsNoAnswer(t *testing.T) {
	c, nodes := cannedNodes(t, 1)
	nodes[0].answer = func(w http.ResponseWriter, method string, id json.RawMessage) {
		answering(map[string]string{
			"getMultipleAccounts":         `{"context":{"slot":5},"value":[null,null,{"owner":"11111111111111111111111111111111","lamports":10000000000,"data":["","base64"]}]}`,
			"getRecentPrioritizationFees": `[]`,
			"getLatestBlockhash":          `{"context":{"slot":5},"value":{"blockhash":"` + someGenesis + `"}}`,
		}[method])(w, method, id)
	}
	_, err := c.Sign(t.Context(), transfer(1), chain.Keyring{})
	require.ErrorIs(t, err, chain.ErrUnavailable)
}
