package sim

import (
	"net/http"
	"slices"
	"time"

	"github.com/ferrypay/ferry/internal/wire"
)

// apiKey is a secret key of a business, as the business knows it.
type apiKey struct {
	id   string
	text string // empty when the one answer that shows it was lost
	// until is when it ends because another one replaces it, as an answer says. While no answer does,
	// mayEnd is the earliest end of a key that somebody wants to replace.
	until, mayEnd time.Time
	// refused is from when on every server refuses it because of its end.
	refused time.Time
	// revoking says that somebody wants to revoke it. It was revoked by the instant revoked, on the server
	// by if that is known.
	revoking bool
	revoked  time.Time
	by       *server
}

// sent is one try of a call: with which key it was sent, when and to whom.
type sent struct {
	key *apiKey
	at  time.Time
	to  *server
}

// heardWithin is how long a server may not know that another one has revoked or replaced a key, and told is
// what the instants of answers leave out (docs/api.md, "API keys").
const heardWithin, told = 5 * time.Second, time.Millisecond

// mustWork reports whether nothing can have ended the key by an instant.
func (k *apiKey) mustWork(at time.Time) bool {
	switch {
	case k.revoking:
		return false
	case !k.until.IsZero():
		return at.Before(k.until)
	}
	return k.mayEnd.IsZero() || at.Before(k.mayEnd)
}

// mustFail reports whether a server has to refuse the key at an instant.
func (k *apiKey) mustFail(at time.Time, to *server) bool {
	if k.isFormer() && !at.Before(k.refused) {
		return true
	}
	return !k.revoked.IsZero() && (to == k.by || !at.Before(k.revoked.Add(heardWithin)))
}

// isFormer reports whether the business knows that another key replaces this one.
func (k *apiKey) isFormer() bool { return !k.until.IsZero() }

// newest is the newest key that the business knows.
func (o *owner) newest() *apiKey {
	for n := range o.keys {
		if k := o.keys[len(o.keys)-1-n]; k.text != "" {
			return k
		}
	}
	return o.spare
}

// known are the keys of the business whose text it knows, oldest first. The spare one is not among them.
func (o *owner) known() (all []*apiKey) {
	for _, k := range o.keys {
		if k.text != "" {
			all = append(all, k)
		}
	}
	return all
}

// former is one of the keys that were replaced, often the last one, or nil.
func (o *owner) former() *apiKey {
	var all []*apiKey
	for _, k := range o.known() {
		if k.isFormer() {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return pick(o.run.keying, all[len(all)-1], pick(o.run.keying, all...))
}

// keyFor is the key with which a client sends a call: mostly the newest one. Some clients have not heard of it yet.
func (o *owner) keyFor(c *call) *apiKey {
	if c.as != nil {
		return c.as()
	}
	if former := o.former(); former != nil && !o.run.weather.calm && o.run.keying.chance(200) {
		return former
	}
	return o.newest()
}

// send sends a call once more.
func (c *call) send(to *server) sent { return sent{c.by.keyFor(c), c.by.run.clock.now, to} }

// checkKey requires a key to work exactly as long as it is valid, and reports whether it did.
func (r *run) checkKey(c *call, by sent, a answer) bool {
	refused := a.status == http.StatusUnauthorized
	switch {
	case refused && by.key.mustWork(r.clock.now):
		r.fail("keys", "%s was refused with %s, which is valid: %s", c, by.key.id, a.raw)
	case !refused && a.status < http.StatusInternalServerError && !c.public && by.key.mustFail(by.at, by.to):
		r.fail("keys", "%s was sent at %s with %s, which ended at %s or was revoked at %s, and was answered: %s",
			c, by.at, by.key.id, by.key.until, by.key.revoked, a.raw)
	}
	return !refused
}

// firstKeys notes the first key of a business, and makes one that lies in a vault: only keys are replaced with it.
func (o *owner) firstKeys() answer {
	listed := o.now(http.MethodGet, "/v1/api-keys?limit=100", nil)
	for id := range secretKeys(listed) {
		o.keys[0].id = id
	}
	made := o.now(http.MethodPost, "/v1/api-keys", object{"label": "In the vault", "type": "secret"})
	o.spare = &apiKey{id: made.text("data.id"), text: made.text("data.key")}
	return made
}

// secretKeys are the secret keys of a list by their ids.
func secretKeys(listed answer) map[string]any {
	all := map[string]any{}
	list, _ := listed.at("data").([]any)
	for _, k := range list {
		if id, _ := wire.Member(k, "id").(string); wire.Member(k, "type") == "secret" {
			all[id] = k
		}
	}
	return all
}

// rotateKey replaces the key of the business. The business with approvals does it seldom: a key that may
// replace the one that asked approves nothing.
func (o *owner) rotateKey() {
	k := o.newest()
	if o.replacing || k.isFormer() || o.number == 1 && o.run.keying.chance(700) {
		return
	}
	o.replace(k)
}

// replace replaces a key. While it works, it asks for that itself. Otherwise the one in the vault does.
func (o *owner) replace(k *apiKey) {
	overlap := pick(o.run.keying, 0, time.Second, time.Minute, time.Hour, 24*time.Hour)
	o.replacing = true
	asked := o.run.clock.now
	k.mayEnd = asked.Add(overlap)
	c := o.ask(http.MethodPost, "/v1/api-keys/rotate-secret", object{"id": k.id, "overlap_seconds": int(overlap.Seconds())}, func(a answer) {
		o.replaced(k, a)
		now := o.run.clock.now // the unit that replaced it may have begun long before
		k.refused = slices.MaxFunc([]time.Time{k.until, now.Add(heardWithin)}, time.Time.Compare).Add(told)
		if k.until.Before(k.mayEnd.Add(-told)) || k.until.After(now.Add(overlap)) {
			o.run.fail("keys", "%s was to be replaced within %s from %s to %s: %s", k.id, overlap, asked, now, a.raw)
		}
	})
	c.shownOnce = true
	c.as = func() *apiKey {
		if k.text != "" && k.mustWork(o.run.clock.now) {
			return k
		}
		return o.spare
	}
}

// replaced takes the key that replaces another one. One whose text was lost is replaced in its turn.
func (o *owner) replaced(k *apiKey, a answer) {
	o.replacing = false
	if !a.ok() || a.text("data.previous_id") != k.id {
		o.run.fail("keys", "%s was to be replaced: %s", k.id, a.raw)
		return
	}
	k.until = a.instant("data.previous_valid_until")
	fresh := &apiKey{id: a.text("data.id"), text: a.text("data.key")}
	o.keys = append(o.keys, fresh)
	if fresh.text == "" {
		o.replace(fresh)
	}
	if !o.run.weather.calm && o.run.keying.chance(500) {
		o.intrude() // before other servers have heard of it
	}
}

// revokeKey revokes a key that was replaced.
func (o *owner) revokeKey() {
	k := o.former()
	if k == nil || k.revoking {
		return
	}
	k.revoking = true
	c := o.ask(http.MethodPost, "/v1/api-keys/revoke", object{"id": k.id}, nil)
	c.heard = func(a answer, by sent) {
		if !a.ok() {
			o.run.fail("keys", "%s was to be revoked: %s", k.id, a.raw)
			return
		}
		if k.revoked = o.run.clock.now; c.tries == 1 { // else another server may have done it
			k.by = by.to
		}
	}
}

// intrude lets whoever has a key that was replaced try to make another one.
func (o *owner) intrude() {
	k := o.former()
	if k == nil {
		return
	}
	path, body := "/v1/api-keys", object{"label": "A thief's", "type": "secret"}
	if o.run.keying.chance(500) {
		path, body = "/v1/api-keys/rotate-secret", object{"id": pick(o.run.keying, k.id, o.newest().id)}
	}
	c := o.ask(http.MethodPost, path, body, func(a answer) { o.run.checkIntruder(k, a) })
	c.refusable, c.as = true, func() *apiKey { return k }
}

// checkIntruder requires a key that was replaced to make no other one.
func (r *run) checkIntruder(k *apiKey, a answer) {
	if a.ok() {
		r.fail("keys", "%s, which was replaced, has made another one: %s", k.id, a.raw)
	}
}

// checkKeys requires a business to have the keys that its answers told of and no other, with their ends, and
// each server to take those that are valid.
func (r *run) checkKeys(o *owner) {
	listed := o.now(http.MethodGet, "/v1/api-keys?limit=100", nil)
	shown, all := secretKeys(listed), append([]*apiKey{o.spare}, o.keys...)
	if o.approver != nil {
		all = append(all, o.approver)
	}
	if len(shown) != len(all) {
		r.fail("keys", "business %d has made %d keys, and has %d: %s", o.number, len(all), len(shown), listed.raw)
	}
	for _, k := range all {
		until, _ := wire.Member(shown[k.id], "valid_until").(string)
		end, _ := time.Parse(time.RFC3339, until)
		revoked := wire.Member(shown[k.id], "revoked_at") != nil
		if !end.Equal(k.until) || revoked == k.revoked.IsZero() {
			r.fail("keys", "%s ends at %s and was revoked at %s: %s", k.id, k.until, k.revoked, listed.raw)
		}
		r.tryKey(o, k)
	}
}

// tryKey sends a key to each server.
func (r *run) tryKey(o *owner, k *apiKey) {
	for _, s := range r.servers {
		if k.text != "" && s.idle() {
			c := &call{by: o, method: http.MethodGet, path: "/v1/api-keys/config"}
			by := sent{k, r.clock.now, s}
			r.checkKey(c, by, s.now(c, k))
		}
	}
}
