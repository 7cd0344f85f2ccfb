package widgets_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/store"
)

// clock is one that the test moves.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// newTimedStage is a stage on a clock that the test moves.
func newTimedStage(t *testing.T) (stage, *clock) {
	c := &clock{time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)}
	e, err := engine.New(engine.Config{Store: memstore.New(), Clock: c})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return newStageOf(t, e, tenant.Business.Scope), c
}

// live is a widget of a business in the live environment.
func (s stage) live(t *testing.T, domains ...string) stage {
	made, err := s.Businesses.Create(t.Context(), ferry.Scope{Env: ferry.Live}, business.CreateParams{Name: "Live shop"})
	require.NoError(t, err)
	w, err := s.Widgets.Create(t.Context(), made.Business.Scope, widgets.CreateParams{Name: "Top up", Domains: domains})
	require.NoError(t, err)
	return stage{s.Engine, made.Business.Scope, w}
}

// tamper writes behind the back of the engine.
func (s stage) tamper(t *testing.T, body func(context.Context, store.Tx) error) {
	t.Helper()
	require.NoError(t, s.Units(s.shop.Env).Write(t.Context(), body))
}

// problems are what is wrong with domains of a live widget, by field.
func problems(t *testing.T, err error) map[string]string {
	t.Helper()
	refused, ok := err.(*ferry.Error)
	require.True(t, ok, err)
	found := map[string]string{}
	for _, problem := range refused.Fields {
		found[problem.Name] = problem.Message
	}
	return found
}

func TestWhatChangesOfAWidgetIsReplacedAndTheRestStays(t *testing.T) {
	s := newStage(t)
	name, destination, theme := " Top up here ", "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T", widgets.Theme{Mode: widgets.Dark, Color: "#1a2b3c"}
	sides, domains, status := []ramp.Side{ramp.Offramp}, []string{"new.example.com", "https://new.example.com"}, widgets.Disabled
	want := s.widget
	for _, change := range []struct {
		widgets.UpdateParams
		changed func()
	}{
		{widgets.UpdateParams{Name: &name}, func() { want.Name = "Top up here" }},
		{widgets.UpdateParams{Sides: &sides}, func() { want.Sides = sides }},
		{widgets.UpdateParams{Theme: &theme}, func() { want.Theme = theme }},
		{widgets.UpdateParams{Destination: &destination}, func() { want.Destination = destination }},
		{widgets.UpdateParams{Domains: &domains}, func() { want.Domains = []string{"https://new.example.com"} }},
		{widgets.UpdateParams{Status: &status}, func() { want.Status = status }},
	} {
		enginetest.Advance(t, s.Engine, time.Second)
		before := want.UpdatedAt
		changed, err := s.Widgets.Update(t.Context(), s.shop, string(s.widget.ID), change.UpdateParams)
		require.NoError(t, err)
		change.changed()
		require.True(t, changed.UpdatedAt.After(before))
		want.Version, want.UpdatedAt = changed.Version, changed.UpdatedAt
		require.Equal(t, want, changed)
		found, err := s.Widgets.Get(t.Context(), s.shop, string(s.widget.ID))
		require.NoError(t, err)
		require.Equal(t, want, found)
	}
}

func TestANameThatIsMissingIsToldApartFromOneThatIsTooLong(t *testing.T) {
	s := newStage(t)
	_, err := s.Widgets.Create(t.Context(), s.shop, widgets.CreateParams{Name: " "})
	require.Equal(t, map[string]string{"name": "Missing required field"}, problems(t, err))
	_, err = s.Widgets.Create(t.Context(), s.shop, widgets.CreateParams{Name: strings.Repeat("x", 101)})
	require.Contains(t, problems(t, err)["name"], "100")
}

func TestAWidgetHasAtMostFiftyOrigins(t *testing.T) {
	s := newStage(t)
	var domains []string
	for n := range 50 {
		domains = append(domains, fmt.Sprintf("https://shop-%d.example.com", n))
	}
	w, err := s.Widgets.SetDomains(t.Context(), s.shop, string(s.widget.ID), domains)
	require.NoError(t, err)
	require.Equal(t, domains, w.Domains)
	_, err = s.Widgets.SetDomains(t.Context(), s.shop, string(s.widget.ID), append(domains, page))
	require.Contains(t, problems(t, err)["domains"], "50")
}

func TestOnlyTheSandboxHasPagesOfThisMachine(t *testing.T) {
	s := newStage(t)
	const local = "http://localhost:3000"
	w, err := s.Widgets.SetDomains(t.Context(), s.shop, string(s.widget.ID), []string{local})
	require.NoError(t, err)
	require.Equal(t, []string{local}, w.Domains)
	live := s.live(t, page)
	_, err = s.Widgets.SetDomains(t.Context(), live.shop, string(live.widget.ID), []string{page, local, local + "/pay"})
	found := problems(t, err)
	require.Len(t, found, 2)
	require.Equal(t, "The scheme must be https", found["domains.1"])
	require.Contains(t, found["domains.2"], "nothing after it", "it is no origin to begin with")
}

func TestALiveWidgetWithoutOriginsIsForNoPage(t *testing.T) {
	s := newStage(t).live(t)
	_, err := s.Widgets.Open(t.Context(), s.key(), page, "")
	require.ErrorIs(t, err, widgets.ErrOrigin)
}

func TestAnOriginIsWhatABrowserSends(t *testing.T) {
	s := newStage(t)
	_, err := s.Widgets.SetDomains(t.Context(), s.shop, string(s.widget.ID), nil)
	require.NoError(t, err)
	longest := "https://" + strings.Repeat("x", 292)
	for _, origin := range []string{longest, "https://a~b.example.com"} {
		_, err = s.Widgets.Open(t.Context(), s.key(), origin, "")
		require.NoError(t, err, origin)
	}
	for _, origin := range []string{longest + "x", "https://a b.example.com", "https://ä.example.com", "https://\x7f.example.com"} {
		_, err = s.Widgets.Open(t.Context(), s.key(), origin, "")
		require.ErrorIs(t, err, widgets.ErrOrigin, origin)
	}
}

func TestATokenIsForTheVeryPageThatOpenedItsSession(t *testing.T) {
	s := newStage(t)
	const other = "https://other.example.com"
	_, err := s.Widgets.SetDomains(t.Context(), s.shop, string(s.widget.ID), []string{page, other})
	require.NoError(t, err)
	opened := s.open(t)
	require.NoError(t, s.enters(t, opened.Token))
	_, _, err = s.Widgets.Session(t.Context(), opened.Token, other)
	require.ErrorIs(t, err, widgets.ErrSession)
}

func TestAVisitLastsADayToTheInstant(t *testing.T) {
	s, c := newTimedStage(t)
	last := s.open(t)
	for range 24 {
		c.now = c.now.Add(time.Hour - time.Second)
		opened, err := s.Widgets.Open(t.Context(), s.key(), page, last.Token)
		require.NoError(t, err)
		last = opened
	}
	c.now = last.Began.Add(widgets.VisitLife - time.Nanosecond)
	_, err := s.Widgets.Open(t.Context(), s.key(), page, last.Token)
	require.NoError(t, err)
	c.now = last.Began.Add(widgets.VisitLife)
	_, err = s.Widgets.Open(t.Context(), s.key(), page, last.Token)
	require.ErrorIs(t, err, widgets.ErrSession)
}

func TestNobodyGoesOnFromASessionOfAnotherBusiness(t *testing.T) {
	s := newStage(t)
	opened := s.open(t)
	enginetest.Advance(t, s.Engine, widgets.SessionLife+widgets.SessionKept+time.Minute)
	_, err := s.Widgets.Open(t.Context(), s.key(), page, opened.Token)
	require.ErrorIs(t, err, widgets.ErrSession, "it was removed")
	s.tamper(t, func(ctx context.Context, tx store.Tx) error {
		theirs := opened.Session
		theirs.Scope.Business, theirs.Version = "biz_other", 0
		return widgets.SessionKind.Insert(ctx, tx, theirs)
	})
	_, err = s.Widgets.Open(t.Context(), s.key(), page, opened.Token)
	require.ErrorIs(t, err, widgets.ErrSession)
}

func TestATokenOfAWidgetThatIsGoneIsAsGoodAsNone(t *testing.T) {
	s := newStage(t)
	opened := s.open(t)
	enginetest.Advance(t, s.Engine, widgets.SessionLife+widgets.SessionKept+time.Minute)
	s.tamper(t, func(ctx context.Context, tx store.Tx) error {
		again := opened.Session
		again.Widget, again.Version, again.ExpiresAt = "rwdg_gone", 0, tx.Now().Add(time.Minute)
		return widgets.SessionKind.Insert(ctx, tx, again)
	})
	require.ErrorIs(t, s.enters(t, opened.Token), widgets.ErrSession)
}

func TestSessionsOfBothEnvironmentsAreRemoved(t *testing.T) {
	s, c := newTimedStage(t)
	live := s.live(t, page)
	s.open(t)
	live.open(t)
	c.now = c.now.Add(widgets.SessionLife + widgets.SessionKept + time.Second)
	removed, err := s.Widgets.RunDue(t.Context(), 100)
	require.NoError(t, err)
	require.Equal(t, 2, removed)
}

func TestAThemeIsLightDarkOrWhatTheVisitorHas(t *testing.T) {
	s := newStage(t)
	for _, mode := range []widgets.Mode{"", widgets.Light, widgets.Dark, widgets.Auto} {
		theme := widgets.Theme{Mode: mode}
		changed, err := s.Widgets.Update(t.Context(), s.shop, string(s.widget.ID), widgets.UpdateParams{Theme: &theme})
		require.NoError(t, err, mode)
		require.Equal(t, theme, changed.Theme)
	}
}

func TestAWidgetHasAtLeastOneSide(t *testing.T) {
	s := newStage(t)
	_, err := s.Widgets.Update(t.Context(), s.shop, string(s.widget.ID), widgets.UpdateParams{Sides: &[]ramp.Side{}})
	require.ErrorIs(t, err, ferry.ErrValidation)
	require.Equal(t, []ferry.Field{{Name: "sides", Message: "Must have at least one"}}, err.(*ferry.Error).Fields)
}
