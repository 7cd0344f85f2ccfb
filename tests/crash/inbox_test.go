package crash_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"

	"github.com/ferrypay/ferry/webhook"
)

// inbox receives webhooks. It outlives every server, and now and then refuses a
// delivery.
type inbox struct {
	mu       sync.Mutex
	random   *rand.Rand
	secret   string
	bodies   map[string]string // of every event that came
	accepted map[string]int    // how often it was accepted
	last     map[string]int    // the last sequence of each resource that came
	problems []string
}

func newInbox(seed uint64) *inbox {
	return &inbox{random: rand.New(rand.NewPCG(seed, 0)), bodies: map[string]string{}, accepted: map[string]int{}, last: map[string]int{}}
}

// trust sets the secret that deliveries are signed with.
func (in *inbox) trust(secret string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.secret = secret
}

// event is what the harness reads of an event.
type event struct {
	ID       string
	Type     string
	Sequence int
	Data     map[string]any
}

// resource names what orders an event: its address, transfer or customer.
func (e event) resource() string {
	for _, name := range []string{"address_id", "id", "customer_id"} {
		if id, ok := e.Data[name].(string); ok {
			return id
		}
	}
	return e.ID
}

// refuseOne is how many deliveries there are to one that is refused.
const refuseOne = 100

func (in *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the server died in the middle
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	id := in.look(body, r.Header)
	if in.random.IntN(refuseOne) == 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	in.accepted[id]++
}

// look notes a delivery and what is wrong with it, and returns the event's id.
// One that will be refused is noted too: its bytes and its place in the order
// are promised.
func (in *inbox) look(body []byte, header http.Header) string {
	if err := webhook.Verify(body, header, in.secret); err != nil {
		in.complain("signature: %v: %s", err, body)
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		in.complain("%v: %s", err, body)
		return ""
	}
	if before, again := in.bodies[e.ID]; again && before != string(body) {
		in.complain("one event, other bytes:\n%s\n%s", before, body)
	}
	in.bodies[e.ID] = string(body)
	of := e.resource()
	if last := in.last[of]; e.Sequence != last && e.Sequence != last+1 {
		in.complain("%d came after %d: %s", e.Sequence, last, body)
	}
	in.last[of] = e.Sequence
	return e.ID
}

func (in *inbox) complain(format string, args ...any) {
	in.problems = append(in.problems, fmt.Sprintf(format, args...))
}

// count returns how many events were accepted.
func (in *inbox) count() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.accepted)
}
