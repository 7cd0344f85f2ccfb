package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/ferrypay/ferry/httpapi"
)

const eventsHead = `# Events

Written by ` + "`make generate`" + `; do not edit. One body of each type of event, as the engine sends it to a business to which all
of this happens. [Event catalogue](api.md#event-catalogue) says what the members mean, and [Webhooks](api.md#webhooks) how a
receiver verifies a body.
`

// writeEvents prints a body of each type of event, in the order of the catalogue.
func writeEvents(w io.Writer) error {
	bodies, err := sampleEvents()
	if err != nil {
		return err
	}
	fmt.Fprint(w, eventsHead)
	for _, e := range httpapi.EventTypes() {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, bodies[e.Name], "", "  "); err != nil {
			return err
		}
		fmt.Fprintf(w, "\n## %s\n\n%s.\n\n```json\n%s\n```\n", e.Name, e.When, pretty.Bytes())
	}
	return nil
}

// writeSamples prints the same bodies as one JSON object, by type.
func writeSamples(w io.Writer) error {
	bodies, err := sampleEvents()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(bodies, "", "\t")
	fmt.Fprintf(w, "%s\n", text)
	return err
}

// sampleEvents returns a body of each type of event that a business can get, by type.
var sampleEvents = sync.OnceValues(func() (map[string]json.RawMessage, error) {
	s, err := newStory()
	if err != nil {
		return nil, err
	}
	bodies, err := s.tell(steps)
	if err != nil {
		return nil, err
	}
	for _, e := range httpapi.EventTypes() {
		if bodies[e.Name] == nil {
			return nil, fmt.Errorf("docgen: no step of steps.go causes the event %s", e.Name)
		}
	}
	return bodies, nil
})
