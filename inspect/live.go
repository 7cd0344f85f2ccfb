package inspect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/ferrypay/ferry/internal/worker"
)

const (
	// updateEvery is the least time between two updates of a page.
	updateEvery = 250 * time.Millisecond
	// heartbeat is how long a stream says nothing at most.
	heartbeat = 15 * time.Second
	// updateLines is how many lines an update has at most, and how many a page shows.
	updateLines = 500
	// streamWrite is how long a client may take to read an update.
	streamWrite = 10 * time.Second
)

// row is a line as a page takes it in.
type row struct {
	Seq  int64  `json:"seq"`
	HTML string `json:"html"`
}

// update is what a stream sends: rows to put in their places, and what stands above them. A program
// that asks for as=lines gets lines in their place.
type update struct {
	Rows  []row  `json:"rows,omitempty"`
	Head  string `json:"head,omitempty"`
	Lines []Line `json:"lines,omitempty"`
}

// live streams lines as server-sent events, from the version that the client names.
func (i *Inspector) live(w http.ResponseWriter, r *http.Request) {
	version, err := strconv.ParseInt(cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("after"), "0"), 10, 64)
	if err != nil || version < 0 {
		http.Error(w, "after: must be a number from 0", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(i.life, cancel)() // no stream keeps a server from ending
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	s := stream{i, w, r, filterOf(r)}
	for ctx.Err() == nil {
		var lines []Line
		lines, version = i.journal.since(version)
		if err := s.send(version, lines); err != nil {
			return
		}
		i.look()
		worker.Pause(ctx, updateEvery)
		beat, stop := context.WithTimeout(ctx, heartbeat)
		i.journal.wait(beat, version)
		stop()
	}
}

// stream is one client of live.
type stream struct {
	*Inspector
	to     http.ResponseWriter
	http   *http.Request
	filter filter
}

// send sends the lines that the client wants: a program gets all of them, a page the newest ones, as it
// shows no more. Without any it is a heartbeat that brings the head.
func (s stream) send(version int64, lines []Line) error {
	lines = slices.DeleteFunc(lines, func(l Line) bool { return !s.filter.keeps(l) })
	if !s.program() {
		lines = lines[max(0, len(lines)-updateLines):]
	}
	for len(lines) > updateLines {
		if err := s.write(lines[updateLines-1].version, lines[:updateLines]); err != nil {
			return err
		}
		lines = lines[updateLines:]
	}
	return s.write(version, lines)
}

// program reports whether the client is no page.
func (s stream) program() bool { return s.http.URL.Query().Get("as") == "lines" }

// write writes an update. Who goes on from its version has had all lines before.
func (s stream) write(version int64, lines []Line) error {
	u, err := s.update(lines)
	if err != nil {
		return err
	}
	body, err := json.Marshal(u)
	if err != nil {
		return err
	}
	control := http.NewResponseController(s.to)
	_ = control.SetWriteDeadline(time.Now().Add(streamWrite)) // a recorder of tests has none
	if _, err := fmt.Fprintf(s.to, "id: %d\ndata: %s\n\n", version, body); err != nil {
		return err
	}
	return control.Flush()
}

// update is what the client gets of some lines.
func (s stream) update(lines []Line) (u update, err error) {
	if s.program() {
		return update{Lines: lines}, nil
	}
	for _, l := range lines {
		html, err := s.render("row", l)
		if err != nil {
			return u, err
		}
		u.Rows = append(u.Rows, row{l.Seq, html})
	}
	u.Head, err = s.render("status", s.head(s.http))
	return u, err
}

// render is a part of a page.
func (i *Inspector) render(name string, data any) (string, error) {
	var html bytes.Buffer
	err := i.templates.ExecuteTemplate(&html, name, data)
	return html.String(), err
}

// filterOf is the filter that a query names.
func filterOf(r *http.Request) filter {
	query := r.URL.Query()
	return filter{Kind(query.Get("kind")), query.Get("q")}
}
