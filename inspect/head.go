package inspect

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/ferrypay/ferry"
)

// frame is what stands around every page.
type frame struct {
	Business, Place, Prefix, Path string
	Now                           time.Time
	Next                          *next
	Books                         booksState
	Armed                         int
	Seeds                         bool // whether Config.Seed can fill the sandbox
	Lists                         []resource
	Kinds                         []Kind
	Version                       int64
}

// next is what happens next in the sandbox.
type next struct {
	What    string    `json:"what"`
	At      time.Time `json:"at"`
	Seconds int64     `json:"seconds"` // from now, at least 1
}

// head is what stands around the page of a request.
func (i *Inspector) head(r *http.Request) frame {
	h := frame{
		Business: i.config.Tenant.Business.Name, Place: i.config.Place, Prefix: i.config.Prefix, Path: i.pathOf(r),
		Now: i.engine.Clock(ferry.Test).Now(), Books: i.audited(), Seeds: i.config.Seed != nil && i.untouched(), Lists: resources, Kinds: Kinds, Version: i.journal.version(),
	}
	if due, err := i.due(r.Context()); err == nil && len(due) > 0 {
		h.Next = &due[0]
	}
	if armed, err := i.engine.World.Armed(r.Context()); err == nil {
		for _, a := range armed {
			if a.Left > 0 {
				h.Armed++
			}
		}
	}
	return h
}

// pathOf is path and query of a page below the prefix, without what an act left there.
func (i *Inspector) pathOf(r *http.Request) string {
	query := r.URL.Query()
	query.Del("did")
	path := i.config.Prefix + trimSlash(r.URL.Path)
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

func trimSlash(path string) string {
	if path != "" && path[0] == '/' {
		return path[1:]
	}
	return path
}

// didBefore is the act that led to this page.
func (i *Inspector) didBefore(r *http.Request) *did {
	seq, err := strconv.ParseInt(r.URL.Query().Get("did"), 10, 64)
	if err != nil {
		return nil
	}
	e, found := i.requests.find(seq)
	if !found {
		return nil
	}
	line := lineOfRequest(e)
	return &did{line, fmt.Sprintf("%s answered %d", line.Title, e.Status)}
}
