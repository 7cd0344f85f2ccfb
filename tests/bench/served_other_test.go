//go:build !(postgres && unix)

package bench_test

import (
	"context"
	"fmt"
	"net"
)

// serveOn serves nothing: the program was built without PostgreSQL.
func (serving) serveOn(_ context.Context, _ net.Listener, what string) error {
	return fmt.Errorf("there is no %q to serve", what)
}
