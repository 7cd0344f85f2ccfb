package widgets_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/store"
)

const page = "https://shop.example.com"

// stage is a widget that pages of shop.example.com may use.
type stage struct {
	*engine.Engine
	shop   ferry.Scope
	widget widgets.Widget
}

func newStage(t *testing.T) stage {
	e, tenant := enginetest.New(t)
	return newStageOf(t, e, tenant.Business.Scope)
}

func newStageOf(t *testing.T, e *engine.Engine, shop ferry.Scope) stage {
	w, err := e.Widgets.Create(t.Context(), shop, widgets.CreateParams{Name: "Top up", Domains: []string{page}})
	require.NoError(t, err)
	return stage{e, shop, w}
}

// key is the key of the widget.
func (s stage) key() business.Key {
	return business.Key{ID: s.widget.Key, Scope: s.shop, Type: business.WidgetKey}
}

func (s stage) open(t *testing.T) widgets.Opened {
	opened, err := s.Widgets.Open(t.Context(), s.key(), page, "")
	require.NoError(t, err)
	return opened
}

// enters reports what becomes of a token that a page of the widget sends.
func (s stage) enters(t *testing.T, token string) error {
	_, _, err := s.Widgets.Session(t.Context(), token, page)
	return err
}

func TestOnlyPagesOfTheVeryOriginsOfAWidgetOpenSessions(t *testing.T) {
	s := newStage(t)
	for _, origin := range []string{
		"", "null", "*", "https://evil.example.com", "http://shop.example.com", "https://shop.example.com:8443", "https://shop.example.com/",
		"https://a.shop.example.com", "https://shop.example.com.evil.example", "https://SHOP.example.com", "shop.example.com",
	} {
		_, err := s.Widgets.Open(t.Context(), s.key(), origin, "")
		require.ErrorIs(t, err, widgets.ErrOrigin, origin)
	}
	require.NoError(t, s.enters(t, s.open(t).Token))
}

func TestAWidgetOfASandboxWithoutOriginsIsForEveryPageThatHasOne(t *testing.T) {
	s := newStage(t)
	w, err := s.Widgets.SetDomains(t.Context(), s.shop, string(s.widget.ID), nil)
	require.NoError(t, err)
	require.Empty(t, w.Domains)
	_, err = s.Widgets.Open(t.Context(), s.key(), "https://any.example.com", "")
	require.NoError(t, err)
	for _, origin := range []string{"", "null"} {
		_, err = s.Widgets.Open(t.Context(), s.key(), origin, "")
		require.ErrorIs(t, err, widgets.ErrOrigin)
	}
}

func TestAKeyOfAnotherKindOpensNothing(t *testing.T) {
	s := newStage(t)
	for _, kind := range []business.KeyType{business.PublicKey, business.SecretKey} {
		key := s.key()
		key.Type = kind
		_, err := s.Widgets.Open(t.Context(), key, page, "")
		require.ErrorIs(t, err, widgets.ErrNotFound)
	}
}

func TestATokenCountsForItsOriginAndForAQuarterOfAnHour(t *testing.T) {
	s := newStage(t)
	opened := s.open(t)
	for _, origin := range []string{"", "null", "https://evil.example.com"} {
		_, _, err := s.Widgets.Session(t.Context(), opened.Token, origin)
		require.ErrorIs(t, err, widgets.ErrSession, origin)
	}
	require.ErrorIs(t, s.enters(t, opened.Token+"x"), widgets.ErrSession)
	require.ErrorIs(t, s.enters(t, ""), widgets.ErrSession)
	require.ErrorIs(t, s.enters(t, opened.Digest), widgets.ErrSession)

	enginetest.Advance(t, s.Engine, widgets.SessionLife-time.Second)
	require.NoError(t, s.enters(t, opened.Token))
	enginetest.Advance(t, s.Engine, time.Second)
	require.ErrorIs(t, s.enters(t, opened.Token), widgets.ErrSession)
}

func TestSessionsEndWhenTheWidgetIsClosedOrNoLongerForTheirPage(t *testing.T) {
	s := newStage(t)
	opened, id := s.open(t), string(s.widget.ID)
	_, err := s.Widgets.SetStatus(t.Context(), s.shop, id, widgets.Disabled)
	require.NoError(t, err)
	require.ErrorIs(t, s.enters(t, opened.Token), widgets.ErrSession)
	_, err = s.Widgets.Open(t.Context(), s.key(), page, "")
	require.ErrorIs(t, err, widgets.ErrOrigin)

	_, err = s.Widgets.SetStatus(t.Context(), s.shop, id, widgets.Active)
	require.NoError(t, err)
	require.NoError(t, s.enters(t, opened.Token))
	_, err = s.Widgets.SetDomains(t.Context(), s.shop, id, []string{"https://new.example.com"})
	require.NoError(t, err)
	require.ErrorIs(t, s.enters(t, opened.Token), widgets.ErrSession)
}

func TestSessionsEndWithTheKeyThatOpenedThem(t *testing.T) {
	s := newStage(t)
	opened := s.open(t)
	none := time.Duration(0)
	rotated, err := s.Businesses.RotateKey(t.Context(), s.shop, business.RotateKeyParams{ID: s.widget.Key, Overlap: &none})
	require.NoError(t, err)
	require.ErrorIs(t, s.enters(t, opened.Token), widgets.ErrSession)
	again, err := s.Widgets.Open(t.Context(), rotated.Key, page, opened.Token)
	require.NoError(t, err)
	require.Equal(t, opened.Visit, again.Visit)
	require.NoError(t, s.enters(t, again.Token))
	_, err = s.Businesses.RevokeKey(t.Context(), s.shop, rotated.Key.ID)
	require.NoError(t, err)
	require.ErrorIs(t, s.enters(t, again.Token), widgets.ErrSession)
}

func TestASessionGoesOnFromAFormerOneOfItsPageForADay(t *testing.T) {
	s := newStage(t)
	first := s.open(t)
	other, err := s.Widgets.Create(t.Context(), s.shop, widgets.CreateParams{Name: "Other", Domains: []string{page}})
	require.NoError(t, err)
	const elsewhere = "https://other.example.com"
	_, err = s.Widgets.SetDomains(t.Context(), s.shop, string(s.widget.ID), []string{page, elsewhere})
	require.NoError(t, err)
	for name, open := range map[string]func() (widgets.Opened, error){
		"another widget": func() (widgets.Opened, error) {
			return s.Widgets.Open(t.Context(), business.Key{ID: other.Key, Scope: s.shop, Type: business.WidgetKey}, page, first.Token)
		},
		"another page":  func() (widgets.Opened, error) { return s.Widgets.Open(t.Context(), s.key(), elsewhere, first.Token) },
		"another token": func() (widgets.Opened, error) { return s.Widgets.Open(t.Context(), s.key(), page, first.Token+"x") },
	} {
		_, err := open()
		require.ErrorIs(t, err, widgets.ErrSession, name)
	}
	last := first
	for range 23 {
		enginetest.Advance(t, s.Engine, time.Hour)
		require.ErrorIs(t, s.enters(t, last.Token), widgets.ErrSession)
		last, err = s.Widgets.Open(t.Context(), s.key(), page, last.Token)
		require.NoError(t, err)
		require.Equal(t, first.ID, last.Visit)
		require.NotEqual(t, first.ID, last.ID)
	}
	_, err = s.Widgets.Open(t.Context(), s.key(), page, first.Token)
	require.ErrorIs(t, err, widgets.ErrSession, "it ended long ago")
	enginetest.Advance(t, s.Engine, time.Hour)
	_, err = s.Widgets.Open(t.Context(), s.key(), page, last.Token)
	require.ErrorIs(t, err, widgets.ErrSession, "the visit has lasted a day")
}

func TestAWidgetKeepsItsPlaceWhenItsKeyIsReplaced(t *testing.T) {
	s := newStage(t)
	for range 2 {
		newest, err := ferry.InRead(t.Context(), s.Units(s.shop.Env), func(ctx context.Context, tx store.Tx) ([]business.Key, error) {
			return s.Businesses.NewestIn(ctx, tx, s.shop, s.widget.Key)
		})
		require.NoError(t, err)
		rotated, err := s.Businesses.RotateKey(t.Context(), s.shop, business.RotateKeyParams{ID: newest[0].ID})
		require.NoError(t, err)
		opened, err := s.Widgets.Open(t.Context(), rotated.Key, page, "")
		require.NoError(t, err)
		require.Equal(t, s.widget.ID, opened.Widget)
	}
}

func TestSessionsThatEndedAreRemovedAnHourLater(t *testing.T) {
	s := newStage(t)
	s.open(t)
	enginetest.Advance(t, s.Engine, widgets.SessionLife+widgets.SessionKept-time.Second)
	removed, err := s.Widgets.RunDue(t.Context(), 100)
	require.NoError(t, err)
	require.Zero(t, removed)
	_, err = s.Engine.World.Advance(t.Context(), 2*time.Second)
	require.NoError(t, err)
	removed, err = s.Widgets.RunDue(t.Context(), 100)
	require.NoError(t, err)
	require.Equal(t, 1, removed)
}

func TestWhatIsWrongWithAWidgetIsNamed(t *testing.T) {
	s := newStage(t)
	_, err := s.Widgets.Create(t.Context(), s.shop, widgets.CreateParams{
		Name: " ", Domains: []string{"shop.example.com", "https://*.example.com", "https://a.example/b", "ftp://a.example"},
		Sides: []ramp.Side{"borrow"}, Theme: widgets.Theme{Mode: "pink", Color: "red"}, Destination: "0x1",
	})
	refused, ok := err.(*ferry.Error)
	require.True(t, ok, err)
	var fields []string
	for _, problem := range refused.Fields {
		fields = append(fields, problem.Name)
	}
	require.Equal(t, []string{"name", "domains.1", "domains.2", "domains.3", "sides.0", "theme.mode", "theme.color", "destination_address"}, fields)
}
