package webhook

// queue is the work that a Sequential service does in the goroutine of its pass, in the order in
// which it was begun. A nil queue has none.
type queue struct{ waiting []func() }

// run does the first work that waits. It reports false when none does.
func (q *queue) run() bool {
	if q == nil || len(q.waiting) == 0 {
		return false
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	next()
	return true
}

// spawn begins work beside the pass, or keeps it for the pass of a Sequential service.
func (t *turns) spawn(work func()) {
	if t.queue == nil {
		go work()
		return
	}
	t.queue.waiting = append(t.queue.waiting, work)
}
