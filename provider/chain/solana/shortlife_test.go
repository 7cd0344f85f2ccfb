//go:build localnet

package solana_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// rewriting changes answers.
type rewriting struct {
	from *regexp.Regexp
	to   string
	host string
}

func (w rewriting) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || r.URL.Host != w.host {
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	body = w.from.ReplaceAll(body, []byte(w.to))
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return answer, err
}

// A payment is paid twice when its last valid height is told too low: it is called dead by both
// nodes, signed again, and lands.
func TestOneOfTwoNodesCannotShortenTheLifeOfAPayment(t *testing.T) {
	first := localnet.Start(t, localnet.Options{Frozen: true})
	second := first.Peer()
	config := configOn(t, first, second)
	config.Transport = rewriting{regexp.MustCompile(`"lastValidBlockHeight":\d+`), `"lastValidBlockHeight":1`, first.URL[len("http://"):]}
	c := open(t, first, config)
	p := newPayer(t, c, first, 10)
	first.Produce(50)
	first.Delay(1, 60)
	signed := p.pay(seed(t).Address(), 4)
	status, height := look(t, c, signed.Signature)
	dead := !status.Found && height > signed.LastValidHeight+32
	first.Produce(100)
	status, _ = look(t, c, signed.Signature)
	require.True(t, status.Found && status.Err == "", "it has landed")
	require.False(t, dead, "it was called dead before")
}
