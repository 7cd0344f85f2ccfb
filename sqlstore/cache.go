package sqlstore

import "sync"

// rowCache keeps rows, and absences, that units of this process read or wrote lately. What
// it says may be old: another unit, here or elsewhere, may have changed the row since. So
// only a unit that writes takes rows from it, and one that only reads for ferry.MayBeOld. A
// commit finds out what is old, as with a row of a snapshot, and then the unit runs again
// without the cache. A unit that writes and ends without a commit, with an error or with
// nothing to write, runs again too.
//
// A unit that writes takes no row that came into the cache after its snapshot began: the row
// may be newer than the lists of the snapshot, and its guard would hold all the same.
//
// The zero value is an empty cache. It is safe for concurrent use.
type rowCache struct {
	mu         sync.Mutex
	young, old map[rowKey]cached
	puts       uint64
}

// cached is what a key leads to: a row or its absence; for a unique key that leads to a row,
// the primary key of that.
type cached struct {
	cell *cell
	row  rowKey
	put  uint64 // the number of the put
}

const (
	// cachedRows is how many rows, at least, were used since the last use of one that the
	// cache has forgotten.
	cachedRows = 2048
	// maxCachedRow is the greatest size of a row in the cache, and maxCachedKey that of a
	// key, in bytes: clients write long rows and ask for long ids.
	maxCachedRow, maxCachedKey = 8 << 10, 1 << 10
)

func (c *rowCache) get(key rowKey) (cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.young[key]
	if !ok {
		if found, ok = c.old[key]; ok {
			c.keep(key, found)
		}
	}
	return found, ok
}

func (c *rowCache) put(key rowKey, of cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.puts++
	of.put = c.puts
	if len(key.values) > maxCachedKey || of.cell != nil && of.cell.size > maxCachedRow {
		delete(c.young, key)
		delete(c.old, key)
		return
	}
	c.keep(key, of)
}

// last is the number of the last put.
func (c *rowCache) last() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.puts
}

func (c *rowCache) keep(key rowKey, of cached) {
	if c.young == nil || len(c.young) >= cachedRows {
		c.young, c.old = make(map[rowKey]cached), c.young
	}
	c.young[key] = of
}

func (c *rowCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old = nil, nil
}
