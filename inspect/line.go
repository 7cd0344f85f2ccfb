package inspect

import (
	"strings"
	"time"

	"github.com/ferrypay/ferry/ledger"
)

// Kind says what a line of the timeline is about.
type Kind string

// The kinds of lines.
const (
	Request  Kind = "api"     // a call of the API
	Page     Kind = "page"    // a payer opened a page
	Money    Kind = "money"   // money came in from outside, or left
	Event    Kind = "event"   // an event was committed
	Delivery Kind = "webhook" // an attempt to deliver an event
	Clock    Kind = "clock"   // the sandbox's clock was moved, or the sandbox began anew
	Fault    Kind = "fault"   // a fault struck a call
)

// Kinds are all kinds of lines.
var Kinds = []Kind{Request, Page, Money, Event, Delivery, Clock, Fault}

// Line is one thing that happened.
type Line struct {
	// Seq orders lines by when they began. It counts from 1.
	Seq  int64 `json:"seq"`
	Kind Kind  `json:"kind"`
	// At is on the sandbox's clock.
	At    time.Time `json:"at"`
	Title string    `json:"title"`
	// Status is that of an HTTP answer, or 0.
	Status int `json:"status,omitempty"`
	// Thing is the id of the resource that the line is about, and Name what its caller calls it.
	// Both may be empty.
	Thing  string `json:"thing,omitempty"`
	Name   string `json:"name,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Path is that of the page that tells more, or empty.
	Path string `json:"path,omitempty"`

	posting ledger.PostingID // of Money
	emptied bool             // whether the sandbox was empty then
	version int64            // orders lines by when they were written
}

// keptText is how much of each text of a line is kept.
const keptText = 512

// bounded is the line with the beginnings of its texts.
func (l Line) bounded() Line {
	for _, text := range []*string{&l.Title, &l.Thing, &l.Name, &l.Detail, &l.Path} {
		*text = cut(*text, keptText)
	}
	return l
}

// cut is the beginning of a text that is longer than limit bytes, in memory of its own.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// Bad reports whether the line tells of something that went wrong.
func (l Line) Bad() bool {
	return l.Kind == Fault || l.Status >= 400 || (l.Kind == Delivery || l.Kind == Request) && l.Status == 0
}

// filter keeps lines.
type filter struct {
	Kind Kind
	// Text keeps lines that contain it, in any letter case.
	Text string
}

func (f filter) keeps(l Line) bool {
	if f.Kind != "" && l.Kind != f.Kind {
		return false
	}
	return f.Text == "" || l.says(strings.ToLower(f.Text))
}

// says reports whether a line contains a text in lower case.
func (l Line) says(text string) bool {
	for _, part := range []string{l.Title, l.Thing, l.Name, l.Detail} {
		if strings.Contains(strings.ToLower(part), text) {
			return true
		}
	}
	return false
}
