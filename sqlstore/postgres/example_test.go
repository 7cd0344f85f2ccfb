package postgres_test

import (
	"bytes"
	"context"
	"log"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

// Any number of processes run like this one on one database.
func ExampleOpen() {
	ctx := context.Background()
	s, err := postgres.Open(ctx, "postgres://ferry@db.internal/ferry?sslmode=verify-full")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close(ctx)
	sealer, err := seal.New(bytes.Repeat([]byte{7}, seal.KeySize)) // both keys from your secrets
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.New(engine.Config{
		Store: s, World: sandbox.New(sandbox.Config{Store: s.World()}),
		Sealer: sealer, Pepper: bytes.Repeat([]byte{9}, 32),
	})
	if err != nil {
		log.Fatal(err)
	}
	e.Run(ctx)
}
