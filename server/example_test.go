package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

// A server answers the API and the pages for payers, and runs the workers of its engine.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	s := server.New(e, server.Config{})
	done := make(chan error)
	go func() { done <- s.Serve(ctx, listener, s) }()

	answer := must(http.Get("http://" + listener.Addr().String() + "/healthz"))
	body := must(io.ReadAll(answer.Body))
	answer.Body.Close()
	fmt.Print(answer.StatusCode, " ", string(body))

	stop() // on a signal, in a real program
	fmt.Println(<-done)
	// Output:
	// 200 ok
	// <nil>
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
