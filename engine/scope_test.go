package engine_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/enginetest"
)

// noScope are methods that mean something without a scope, or see what is wrong with the
// other arguments first.
var noScope = map[string]string{
	"Checkout.FindLink": "a slug names a link of any business",
}

// Every method of every service that is given the zero Scope says so.
func TestAServiceThatIsGivenAZeroScopeSaysSo(t *testing.T) {
	e, _ := enginetest.New(t)
	scope := reflect.TypeFor[ferry.Scope]()
	of := reflect.ValueOf(e.Services)
	asked := 0
	for i := range of.NumField() {
		service := of.Field(i)
		for m := range service.NumMethod() {
			method := service.Method(m)
			name := of.Type().Field(i).Name + "." + service.Type().Method(m).Name
			if method.Type().NumIn() < 2 || method.Type().In(0) != reflect.TypeFor[context.Context]() || method.Type().In(1) != scope || noScope[name] != "" {
				continue
			}
			asked++
			t.Run(name, func(t *testing.T) { require.ErrorIs(t, called(t, method), ferry.ErrZeroScope) })
		}
	}
	require.Greater(t, asked, 50)
}

// called returns the error of a method that is called with a context and zeros, or the
// first one of what it walks.
func called(t *testing.T, method reflect.Value) (err error) {
	t.Helper()
	in := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn(); i++ {
		in = append(in, reflect.Zero(method.Type().In(i)))
	}
	call := method.Call
	if method.Type().IsVariadic() {
		call = method.CallSlice
	}
	out := call(in)
	last := out[len(out)-1]
	if last.Kind() == reflect.Func { // an iterator
		for _, walked := range last.Seq2() {
			last = walked
			break
		}
	}
	err, _ = last.Interface().(error)
	return err
}
