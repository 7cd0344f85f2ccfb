package sim

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry/webhook"
)

// hookSecret is a secret that signs webhooks, as the business knows it.
type hookSecret struct {
	text string // empty when the one answer that shows it was lost
	// since is when an answer told of it. It ends at until, or has no end. It may end at mayEnd already.
	since, until, mayEnd time.Time
}

// signedWithin is how long before its attempt a webhook may be signed, and mostSecrets is how many sign at
// a time (docs/api.md, "Webhook signatures").
const signedWithin, mostSecrets = time.Minute, 3

// ended reports whether the secret had ended at an instant.
func (s *hookSecret) ended(at time.Time) bool {
	return !s.until.IsZero() && !at.Before(s.until.Add(told))
}

// mustSign reports whether the secret signs whatever is attempted at an instant.
func (s *hookSecret) mustSign(at time.Time) bool {
	return s.text != "" && !at.Add(-signedWithin).Before(s.since) && (s.mayEnd.IsZero() || at.Add(time.Second).Before(s.mayEnd)) // a timestamp has whole seconds
}

// rotateSecret replaces the secret that signs the webhooks of the business.
func (o *owner) rotateSecret() {
	if o.resigning {
		return
	}
	overlap := pick(o.run.keying, 0, time.Minute, time.Hour, 24*time.Hour)
	o.resigning = true
	earliest := o.run.clock.now.Add(overlap)
	for _, s := range o.secrets {
		s.mayEnd = sooner(s.mayEnd, earliest)
	}
	c := o.ask(http.MethodPost, "/v1/webhook/rotate-secret", object{"overlap_seconds": int(overlap.Seconds())}, func(a answer) {
		o.resigning = false
		until := a.instant("data.previous_valid_until")
		if !a.ok() || until.Before(earliest.Add(-told)) || until.After(o.run.clock.now.Add(overlap)) {
			o.run.fail("keys", "the secret of business %d was to end within %s: %s", o.number, overlap, a.raw)
			return
		}
		for _, s := range o.secrets {
			s.until = sooner(s.until, until)
		}
		fresh := &hookSecret{text: a.text("data.webhook_secret"), since: o.run.clock.now}
		if o.secrets = append(o.secrets, fresh); fresh.text == "" { // nobody can read what it signs
			o.rotateSecret()
		}
	})
	c.shownOnce = true
}

// sooner is the earlier of two ends, of which the first may be none.
func sooner(end, other time.Time) time.Time {
	if end.IsZero() || other.Before(end) {
		return other
	}
	return end
}

// checkSigned requires a webhook to be signed by the secrets that are valid at its attempt, and by no other.
func (r *run) checkSigned(o *owner, header http.Header, body []byte) {
	seconds, _ := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	at := time.Unix(seconds, 0)
	verify := webhook.Verifier{Now: r.clock.Now}
	given := len(strings.Fields(header.Get("webhook-signature")))
	newer := 0
	if o.resigning { // there may be one more that signs
		newer = 1
	}
	unread := given
	for n := range o.secrets {
		s := o.secrets[len(o.secrets)-1-n]
		signs := s.text != "" && verify.Verify(body, header, s.text) == nil
		switch {
		case signs && s.ended(at.Add(-signedWithin)):
			r.fail("events", "a webhook of business %d at %s is signed by a secret that ended at %s", o.number, at, s.until)
		case !signs && newer+n < mostSecrets && s.mustSign(at):
			r.fail("events", "a webhook of business %d at %s is not signed by its secret since %s until %s", o.number, at, s.since, s.until)
		}
		if signs {
			unread--
		}
	}
	if given == 0 || given > mostSecrets || unread > newer+o.lostSecrets() {
		r.fail("events", "business %d got an event with %d signatures, of which it cannot read %d", o.number, given, unread)
	}
	if s := o.secrets[len(o.secrets)-1]; newer == 0 && s.mustSign(at) && header.Get(webhook.DefaultHeader) != webhook.Sign(s.text, body) {
		r.fail("events", "business %d got an event whose first header its newest secret has not signed: %v", o.number, header)
	}
}

// lostSecrets counts the secrets that the business has never seen.
func (o *owner) lostSecrets() (lost int) {
	for _, s := range o.secrets {
		if s.text == "" {
			lost++
		}
	}
	return lost
}
