package webhook_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
)

// ownGoroutine answers requests, the first one with a failure, and notes whether all of them came
// in the goroutine of a test.
type ownGoroutine struct {
	test    string
	strange bool
	came    int
}

func (o *ownGoroutine) RoundTrip(request *http.Request) (*http.Response, error) {
	o.strange = o.strange || !strings.Contains(string(debug.Stack()), o.test)
	status := http.StatusOK
	if o.came++; o.came == 1 {
		status = http.StatusInternalServerError
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("")), Request: request}, nil
}

func TestASequentialServiceWorksInTheGoroutineOfItsPass(t *testing.T) {
	b, web := setup(t), &ownGoroutine{test: "TestASequentialServiceWorksInTheGoroutineOfItsPass"}
	for i := range 40 {
		b.emit(fmt.Sprint("r", i), fmt.Sprint("r", i))
	}
	config := b.config
	config.Sequential = true
	config.Around = func(ferry.Env, http.RoundTripper) http.RoundTripper { return web }
	done, err := webhook.New(b.narrow, config).RunDue(t.Context(), 1000)
	require.NoError(t, err)
	require.False(t, web.strange)
	require.Equal(t, 79, web.came, "one event failed, and the other one of its resource waits")
	require.Equal(t, 79, done)
}
