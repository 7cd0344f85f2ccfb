package solana

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
)

const (
	// patience is how long calls of a node fail before it is called silent: one lost answer is
	// none of an operator's concern. busyPatience is the same when the node says that it is busy.
	patience     = 5 * time.Second
	busyPatience = time.Minute
)

// health is whether a node answers, as far as the calls of it tell.
type health struct {
	host   string
	logger *slog.Logger

	mu      sync.Mutex
	failing time.Time // since when no call was answered, or zero
	silent  bool      // a warning was logged, and no call was answered since
}

// answered notes an answer. The first one of a silent node is logged.
func (h *health) answered(ctx context.Context, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.silent {
		h.logger.InfoContext(ctx, "a node answers again", "node", h.host, "silent_seconds", int(now.Sub(h.failing).Seconds()))
	}
	h.failing, h.silent = time.Time{}, false
}

// failed notes a call without an answer. The one that makes the node silent is logged.
func (h *health) failed(ctx context.Context, now time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failing.IsZero() {
		h.failing = now
	}
	wait := patience
	if errors.Is(err, errBusy) {
		wait = busyPatience
	}
	if !h.silent && now.Sub(h.failing) >= wait {
		h.warn(ctx, err)
	}
}

// missing notes that a node did not answer when the chain was opened.
func (h *health) missing(ctx context.Context, now time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failing = now
	h.warn(ctx, err)
}

func (h *health) warn(ctx context.Context, err error) {
	h.silent = true
	h.logger.WarnContext(ctx, "a node does not answer", "node", h.host, "error", err)
}

// note says what the result of a call tells of the health of its node. A node that refuses what
// was asked answers, and a caller that leaves says nothing about the node.
func (n *node) note(ctx context.Context, err error) {
	var refusal *Refusal
	switch now := n.clock.Now(); {
	case err == nil || errors.As(err, &refusal) || errors.Is(err, rpc.ErrNotFound):
		n.health.answered(ctx, now)
	case ctx.Err() == nil:
		n.health.failed(ctx, now, err)
	}
}

var (
	// errBusy says that a node asks to be left alone for a while.
	errBusy = errors.New("the node is busy")
	// errBehind says that a node calls itself behind.
	errBehind = errors.New("the node is behind")
)

// behindCode is the code by which a node says that it is behind.
const behindCode = -32005
