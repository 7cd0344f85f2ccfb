// Package statements lets tests see what a store says to its database where nobody stands
// between the two, as with SQLite.
package statements

import "context"

type key struct{}

// Seen returns a context. A store that is opened with it calls see with each statement that
// it runs.
func Seen(ctx context.Context, see func(statement string)) context.Context {
	return context.WithValue(ctx, key{}, see)
}

// Of returns what is to see the statements of a store that is opened with a context, or nil.
func Of(ctx context.Context) func(statement string) {
	see, _ := ctx.Value(key{}).(func(string))
	return see
}
