package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"testing"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/internal/ballast"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

// served names, in the environment, what this program serves instead of running
// benchmarks: see serve.
const served = "FERRY_BENCH_SERVED"

func TestMain(m *testing.M) {
	held := ballast.Take() // as ferry has
	what := os.Getenv(served)
	if what == "" {
		code := m.Run()
		runtime.KeepAlive(held)
		os.Exit(code)
	}
	if err := serve(what); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	runtime.KeepAlive(held)
}

// serving is what a server process tells about itself, as a line of JSON.
type serving struct {
	URL string
	Key string
	// Addresses are those of rich wallets, and Transfer is one between two of them.
	Addresses []string
	Transfer  string
}

// serve is the server process. It ends when its standard input does, that is
// with the benchmark that started it.
func serve(what string) error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	at := serving{URL: "http://" + listener.Addr().String()}
	switch what {
	case "yardsticks":
		return at.handle(ctx, listener, yardsticks())
	case "memory":
		return at.engine(ctx, listener, engine.Config{Store: memstore.New()})
	case "recorder off": // it is there, and nobody gives it to the engine: as in ferry serve
		off := inspect.NewRecorder()
		defer runtime.KeepAlive(off)
		return at.engine(ctx, listener, engine.Config{Store: memstore.New()})
	}
	return at.serveOn(ctx, listener, what)
}

// yardsticks are the least that a GET and a POST take.
func yardsticks() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", hello)
	mux.HandleFunc("POST /echo", echo)
	return mux
}

// handle says where the server is, and serves.
func (at serving) handle(ctx context.Context, listener net.Listener, handler http.Handler) error {
	if err := json.NewEncoder(os.Stdout).Encode(at); err != nil {
		return err
	}
	web := &http.Server{Handler: handler}
	context.AfterFunc(ctx, func() { _ = web.Close() })
	if err := web.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// rich is how many wallets there are to send from and to.
const rich = 64

// know takes in what a client has to know of a rig.
func (at *serving) know(r *rig) {
	at.Key = r.SecretKey
	for _, w := range r.wallets {
		at.Addresses = append(at.Addresses, string(w.PrimaryAddress))
	}
}

// engine serves an engine with its workers, as ferry dev does.
func (at serving) engine(ctx context.Context, listener net.Listener, config engine.Config) error {
	r, err := open(ctx, config, rich)
	if err != nil {
		return err
	}
	at.know(r)
	made, err := r.Outgoing.Transfer(ctx, r.scope(), r.transfer(0))
	if err != nil {
		return err
	}
	at.Transfer = string(made.ID)
	s := server.New(r.Engine, server.Config{})
	if err := json.NewEncoder(os.Stdout).Encode(at); err != nil {
		return err
	}
	return s.Serve(ctx, listener, s)
}
