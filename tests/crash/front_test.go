//go:build localnet

package crash_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// front stands before a node, and may lie in its name.
type front struct {
	*httptest.Server
	node string
	says atomic.Pointer[lie]
}

// lie returns what a front answers to a call in place of the result of its node.
type lie func(method string, result json.RawMessage) any

func newFront(t *testing.T, node string) *front {
	f := &front{node: node}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// keyOfANode stands in the addresses of nodes.
const keyOfANode = "sesame"

// address is the URL of the front, with a key that no log may show.
func (f *front) address() string { return f.URL + "/?api-key=" + keyOfANode }

// lie makes the front tell lies, or none any more.
func (f *front) lie(l lie) {
	if l == nil {
		f.says.Store(nil)
		return
	}
	f.says.Store(&l)
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, _ := io.ReadAll(r.Body)
	answer, err := http.Post(f.node, "application/json", bytes.NewReader(asked))
	if err != nil {
		panic(http.ErrAbortHandler) // as the node did
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if l := f.says.Load(); l != nil {
		body = told(*l, asked, body)
	}
	for name, values := range answer.Header {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(body)
}

// told is an answer with a lie in it, unless it has no result.
func told(l lie, asked, answer []byte) []byte {
	var call struct{ Method string }
	var given struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result"`
	}
	if json.Unmarshal(asked, &call) != nil || json.Unmarshal(answer, &given) != nil || given.Result == nil {
		return answer
	}
	var err error
	if given.Result, err = json.Marshal(l(call.Method, given.Result)); err != nil {
		return answer
	}
	answer, _ = json.Marshal(given)
	return answer
}

// forgetful knows the status of nothing.
func forgetful(method string, result json.RawMessage) any {
	if method != "getSignatureStatuses" {
		return result
	}
	var found struct {
		Context json.RawMessage `json:"context"`
		Value   []*struct{}     `json:"value"`
	}
	if json.Unmarshal(result, &found) != nil {
		return result
	}
	clear(found.Value)
	return found
}

// liar knows nothing that was sent, and says that all of it is out of date.
func liar(method string, result json.RawMessage) any {
	switch method {
	case "getTransaction":
		return nil
	case "getSignaturesForAddress":
		return []any{}
	case "getBlockHeight":
		var height uint64
		if json.Unmarshal(result, &height) == nil {
			return height + 1000
		}
	}
	return forgetful(method, result)
}
