package widgets

import (
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
	// SessionLife is how long a session lasts, and how long it stays after an order of it may
	// be paid.
	SessionLife = 15 * time.Minute
	// SessionKept is how long the row of a session stays after its first end.
	SessionKept = time.Hour
)

// Session is a visit at a widget. Its token speaks for the visitor.
type Session struct {
	ID     SessionID
	Scope  ferry.Scope
	Widget ID
	// Origin is that of the page that opened it. Requests of another page do not count.
	Origin string
	// Digest is that of the token, under the pepper of API keys.
	Digest    string
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

// Open opens a session for a page of an origin. Key is a widget key. Errors: ErrOrigin when the
// widget does not allow the origin or is disabled; ErrNotFound when no widget has the key.
func (s *Service) Open(ctx context.Context, key business.Key, origin string) (Opened, error) {
	return ferry.InUnit(ctx, s.units.Of(key.Scope), func(ctx context.Context, tx Tx) (Opened, error) {
		return s.OpenIn(ctx, tx, key, origin)
	})
}

// OpenIn is Open within a unit.
func (s *Service) OpenIn(ctx context.Context, tx Tx, key business.Key, origin string) (Opened, error) {
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
		ExpiresAt: tx.Now().Add(SessionLife), CreatedAt: tx.Now(),
	}
	made, err = SessionKind.Add(ctx, tx, made)
	return Opened{made, token}, err
}

// Session returns the session of a token for a page of an origin, with its widget. Whatever is
// wrong with the token or the origin, the error is ErrSession and says no more: it is unknown, it
// has expired, it was opened by a page of another origin, or the widget allows that no more.
func (s *Service) Session(ctx context.Context, token, origin string) (Session, Widget, error) {
	digest := s.config.Digest(token)
	found, err := ferry.InRead(ctx, s.units.In(ferry.Live), func(ctx context.Context, tx Tx) (Session, error) {
		return SessionKind.Find(ctx, tx, byDigest, Session{Digest: digest})
	})
	if err != nil {
		return Session{}, Widget{}, unknownSession(err)
	}
	w, err := ferry.InRead(ctx, s.units.Of(found.Scope), func(ctx context.Context, tx Tx) (Widget, error) {
		if !tx.Now().Before(found.ExpiresAt) || found.Origin != origin {
			return Widget{}, ErrSession
		}
		return WidgetKind.Get(ctx, tx, found.Scope, found.Widget)
	})
	if err == nil && (w.Status != Active || !w.allows(origin)) {
		err = ErrSession
	}
	return found, w, unknownSession(err)
}

// ProlongIn lets a session go on for SessionLife after an instant, until when an order of it may
// be paid: so its page sees how the order ends. No session outlives its row.
func ProlongIn(ctx context.Context, tx Tx, scope ferry.Scope, id SessionID, payable time.Time) error {
	found, err := SessionKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	until := payable.Add(SessionLife)
	if last := found.CreatedAt.Add(SessionLife + SessionKept); until.After(last) {
		until = last
	}
	if !until.After(found.ExpiresAt) {
		return nil
	}
	found.ExpiresAt = until
	return SessionKind.Update(ctx, tx, found)
}

// unknownSession is ErrSession for what is not there.
func unknownSession(err error) error {
	if errors.Is(err, ErrSession) || errors.Is(err, ErrNotFound) {
		return ErrSession
	}
	return err
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
