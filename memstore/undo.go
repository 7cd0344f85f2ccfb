package memstore

// undoLog holds the writes of a unit in their order, each as the one who can
// take it back.
type undoLog []undoer

type undoer interface {
	// takeBack undoes the last write that is still to be undone.
	takeBack()
	// keep forgets how to take back writes, all of them.
	keep()
}

func (l *undoLog) add(u undoer) { *l = append(*l, u) }

// rollbackTo takes back what was added since the log had the given length.
func (l *undoLog) rollbackTo(length int) {
	for i := len(*l) - 1; i >= length; i-- {
		(*l)[i].takeBack()
	}
	clear((*l)[length:])
	*l = (*l)[:length]
}

// forget keeps all writes.
func (l *undoLog) forget() {
	for _, u := range *l {
		u.keep()
	}
	*l = emptied(*l)
}

// undoFunc takes one write back.
type undoFunc func()

func (f undoFunc) takeBack() { f() }
func (undoFunc) keep()       {}

// pop takes the last one off a stack.
func pop[T any](stack *[]T) T {
	var none T
	last := len(*stack) - 1
	top := (*stack)[last]
	(*stack)[last] = none // for the garbage collector
	*stack = (*stack)[:last]
	return top
}

// emptied returns the room of a stack for the next unit, unless a huge unit left
// it.
func emptied[T any](stack []T) []T {
	if cap(stack) > 1<<10 {
		return nil
	}
	clear(stack)
	return stack[:0]
}
