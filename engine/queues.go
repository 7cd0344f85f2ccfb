package engine

import (
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// queuesIn returns the queues of an environment for which Advance stops.
func (e *Engine) queuesIn(env ferry.Env) (all []lease.Queue) {
	for _, d := range e.domains {
		for _, q := range d.Queues {
			all = append(all, q.In(env))
		}
	}
	return all
}

// queues returns the queues of all passes in all environments.
func (e *Engine) queues() (all []lease.Queue) {
	for _, d := range e.domains {
		for _, kind := range d.due() {
			for _, env := range ferry.Envs() {
				all = append(all, kind.In(env))
			}
		}
	}
	return all
}

// due returns the queues of its pass.
func (d domain) due() []lease.Kind { return slices.Concat(d.Queues, d.realTime) }
