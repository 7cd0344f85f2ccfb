package widgets

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

// SessionID names a session: rses_ and 32 hexadecimal digits.
type SessionID string

// SessionPrefix begins the id of a session.
const SessionPrefix = "rses_"

const (
	// SessionLife is how long a session lasts.
	SessionLife = 15 * time.Minute
	// SessionKept is how long another session may go on from one after its end.
	SessionKept = time.Hour
	// VisitLife is how long sessions may go on from each other.
	VisitLife = 24 * time.Hour
)

// Session is a visit at a widget. Its token speaks for the visitor.
type Session struct {
	ID     SessionID
	Scope  ferry.Scope
	Widget ID
	// Origin is that of the page that opened it. Requests of another page do not count.
	Origin string
	// Digest is that of the token, under the pepper of API keys.
	Digest string
	// Key opened it: it ends when the key does.
	Key business.KeyID
	// Visit is the first of the sessions that went on from each other, opened when the visit Began.
	// The orders of one are those of all.
	Visit     SessionID
	Began     time.Time
	ExpiresAt time.Time
	CreatedAt time.Time
	Version   int64
}

// Opened is a new session with its token, which is kept nowhere.
type Opened struct {
	Session
	Token string
}

// tokenPrefix begins a token; the environment and 256 random bits follow.
const tokenPrefix = "rst_"

// Open opens a session for a page of an origin. Key is a widget key. Former is the token of a session
// of that page from which the new one goes on, so that the visitor sees his orders to their end;
// empty begins a visit. Errors: ErrOrigin when the widget does not allow the origin or is disabled;
// ErrNotFound when no widget has the key; ErrSession when no session may go on from the former one.
func (s *Service) Open(ctx context.Context, key business.Key, origin, former string) (Opened, error) {
	return ferry.InUnit(ctx, s.units.Of(key.Scope), func(ctx context.Context, tx Tx) (Opened, error) {
		return s.OpenIn(ctx, tx, key, origin, former)
	})
}

// OpenIn is Open within a unit.
func (s *Service) OpenIn(ctx context.Context, tx Tx, key business.Key, origin, former string) (Opened, error) {
	w, err := OfKeyIn(ctx, tx, key)
	if err != nil {
		return Opened{}, err
	}
	if w.Status != Active || !w.allows(origin) {
		return Opened{}, ErrOrigin
	}
	random := make([]byte, 32)
	if _, err := io.ReadFull(s.config.Random, random); err != nil {
		return Opened{}, err
	}
	token := tokenPrefix + string(key.Scope.Env) + "_" + base64.RawURLEncoding.EncodeToString(random)
	made := Session{
		ID: SessionID(tx.NewID(SessionPrefix)), Scope: w.Scope, Widget: w.ID, Origin: origin, Digest: s.config.Digest(token),
		Key: key.ID, ExpiresAt: tx.Now().Add(SessionLife), CreatedAt: tx.Now(),
	}
	if made, err = s.visitIn(ctx, tx, made, former); err != nil {
		return Opened{}, err
	}
	made, err = SessionKind.Add(ctx, tx, made)
	return Opened{made, token}, err
}

// visitIn makes a new session part of the visit of a former one, or the first of a visit.
func (s *Service) visitIn(ctx context.Context, tx Tx, made Session, former string) (Session, error) {
	if former == "" {
		made.Visit, made.Began = made.ID, tx.Now()
		return made, nil
	}
	before, err := SessionKind.Find(ctx, tx, byDigest, Session{Digest: s.config.Digest(former)})
	if err != nil {
		return Session{}, err
	}
	if before.Scope != made.Scope || before.Widget != made.Widget || before.Origin != made.Origin || tx.Now().Sub(before.Began) >= VisitLife {
		return Session{}, ErrSession
	}
	made.Visit, made.Began = before.Visit, before.Began
	return made, nil
}

// Session returns the session of a token for a page of an origin, with its widget. Whatever is
// wrong with the token or the origin, the error is ErrSession and says no more: it is unknown, it
// has expired, it was opened by a page of another origin, the widget allows that no more, or the key
// that opened it has ended.
func (s *Service) Session(ctx context.Context, token, origin string) (Session, Widget, error) {
	digest := s.config.Digest(token)
	found, err := ferry.InRead(ctx, s.units.In(ferry.Live), func(ctx context.Context, tx Tx) (Session, error) {
		return SessionKind.Find(ctx, tx, byDigest, Session{Digest: digest})
	})
	if err != nil {
		return Session{}, Widget{}, err
	}
	w, err := ferry.InRead(ctx, s.units.Of(found.Scope), func(ctx context.Context, tx Tx) (Widget, error) {
		if !tx.Now().Before(found.ExpiresAt) || found.Origin != origin {
			return Widget{}, ErrSession
		}
		if usable, err := business.UsableIn(ctx, tx, found.Scope, found.Key); err != nil || !usable {
			return Widget{}, cmp.Or(err, error(ErrSession))
		}
		return WidgetKind.Get(ctx, tx, found.Scope, found.Widget)
	})
	if err == nil && (w.Status != Active || !w.allows(origin)) {
		err = ErrSession
	}
	if errors.Is(err, ErrNotFound) {
		err = ErrSession
	}
	return found, w, err
}

// RunDue removes sessions that ended long ago, at most limit, and returns how many it removed.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	removed := 0
	for _, env := range ferry.Envs() {
		n, err := ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (int, error) {
			return SessionKind.Purge(ctx, tx, env, tx.Now().Add(-SessionLife-SessionKept), limit)
		})
		removed += n
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}
