package ferrytest_test

import (
	"context"
	"fmt"
	"testing"
)

// exampleT stands in for the *testing.T that an example does not have.
type exampleT struct {
	testing.TB
	cleanup func()
}

func (t *exampleT) Helper()                  {}
func (t *exampleT) Context() context.Context { return context.Background() }
func (t *exampleT) Cleanup(f func())         { t.cleanup = f }
func (t *exampleT) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...))
}
