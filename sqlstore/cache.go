package sqlstore

import "sync"

// rowCache keeps rows that units of this process read or wrote lately, and keys under which
// there was no row. An entry may be old: another unit, here or in another process, may have
// changed the row since. So two kinds of units take rows from the cache: those that write, and
// those that only read within ferry.MayBeOld.
//
// A commit checks the guard of a cached row as that of any other row. When the row is old, the
// unit runs again without the cache. A unit that took cached rows and ends without a commit,
// because of an error or because it has nothing to write, also runs again without the cache.
// ferry.ErrUnprepared is the exception: the operation is prepared again in any case.
//
// A unit that writes takes no row that entered the cache after the snapshot of the unit began.
// Such a row may be newer than the lists of the snapshot, and its guard would not fail.
//
// The zero value is an empty cache. It is safe for concurrent use.
type rowCache struct {
	mu sync.Mutex
	// young and old are the two generations of entries. When young is full, it becomes old,
	// and the entries of the former old are forgotten. An entry that is used becomes young.
	young, old map[rowKey]cached
	puts       uint64 // how often put was called
}

// cached is an entry of the cache. The entry of a primary key has a cell: a row or its absence.
// The entry of a unique key has a cell when there is no row, else the primary key of the row.
type cached struct {
	cell *cell
	row  rowKey
	put  uint64 // the number of the put
}

const (
	// cachedRows is the greatest number of entries of one generation.
	cachedRows = 2048
	// maxCachedRow is the greatest size of a row in the cache, and maxCachedKey that of a
	// key, in bytes. Clients write long rows and ask for long ids, which must not fill the
	// memory.
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

// last returns the number of the last put.
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
