package inspect

import (
	"cmp"
	"context"
	"math"
	"net/http"

	"github.com/ferrypay/ferry/engine"
)

// clockData is the page of the clock.
type clockData struct {
	Due  []next `json:"due"`
	Acts []Act  `json:"-"`
}

// clockPage shows what is due next.
func (i *Inspector) clockPage(ctx context.Context, _ *http.Request) (any, error) {
	due, err := i.due(ctx)
	return clockData{due, []Act{
		act("+1 min", wait(60)), act("+15 min", wait(900)), act("+1 h", wait(3600)), act("+24 h", wait(86400)), act("+30 days", wait(30*86400)),
		act("Do what is due now", helper("drain", body{})), act("Empty the sandbox", Step{Method: http.MethodPost, Path: "/v1/test_helpers/reset"}),
	}}, err
}

// Act moves the clock there.
func (n next) Act() Act { return act("Go there", wait(n.Seconds)) }

// due is what happens next in the sandbox, the soonest first.
func (i *Inspector) due(ctx context.Context) ([]next, error) {
	due, err := i.engine.DueNext(ctx)
	list := make([]next, 0, len(due))
	now := i.clock.Now()
	for _, d := range due {
		list = append(list, next{dueWords(d), d.At, max(1, int64(math.Ceil(d.At.Sub(now).Seconds())))})
	}
	return list, err
}

// dueNames are words for queues.
var dueNames = map[string]string{
	engine.World: "a block, or the bank", "webhook.stream": "a webhook is tried", "engine.reconcile": "the books are compared",
}

func dueWords(d engine.Due) string { return cmp.Or(dueNames[d.What], d.What) }
