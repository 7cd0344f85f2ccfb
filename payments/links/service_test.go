package links_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

var (
	shop = ferry.Scope{Business: "biz_1", Env: ferry.Test}
	live = ferry.Scope{Business: "biz_1", Env: ferry.Live}
)

const (
	a = business.DialectA
	b = business.DialectB
)

type stage struct {
	*links.Service
	t     *testing.T
	units ferry.EnvUnits[store.Tx]
	now   time.Time
}

func (s *stage) Now() time.Time { return s.now }

func setup(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	s.units = store.Open(storefault.Late(memstore.New()), ferry.OneClock(s), ferry.NewIDs(rand.Reader))
	s.Service = links.New(ferry.Narrow(s.units, func(tx store.Tx) links.Tx { return tx }), links.Config{})
	require.NoError(t, s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, scope := range []ferry.Scope{shop, live} {
			owner := business.Business{Scope: scope, Name: "Shop", Preferences: business.DefaultPreferences()}
			owner.RedirectHosts = []string{"shop.example.com"}
			if err := business.Kind.Insert(ctx, tx, owner); err != nil {
				return err
			}
		}
		return nil
	}))
	return s
}

func params(policy business.Dialect) links.CreateParams {
	return links.CreateParams{Policy: policy, Currency: "NGN", Amount: money.NGN(5000_00), Title: "Jollof"}
}

func (s *stage) make(p links.CreateParams) links.Link {
	s.t.Helper()
	l, err := s.Create(s.t.Context(), shop, p)
	require.NoError(s.t, err)
	return l
}

// at makes a link of a policy in a status.
func (s *stage) at(policy business.Dialect, status links.Status) links.Link {
	s.t.Helper()
	p := params(policy)
	p.ExpiresAt = s.now.Add(time.Hour)
	l := s.make(p)
	return s.put(l, status)
}

func (s *stage) put(l links.Link, status links.Status) links.Link {
	s.t.Helper()
	l.Status = status
	require.NoError(s.t, s.units.In(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error { return links.LinkKind.Update(ctx, tx, l) }))
	l.Version++
	return l
}

func (s *stage) take(l links.Link) error {
	return s.units.In(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		now, err := links.Find(ctx, tx, shop, string(l.ID))
		if err != nil {
			return err
		}
		return links.TakeIn(ctx, tx, now)
	})
}

func (s *stage) count(l links.Link) {
	s.t.Helper()
	require.NoError(s.t, s.units.In(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return links.CountIn(ctx, tx, shop, l.ID, money.NGN(5000_00))
	}))
}

func (s *stage) get(l links.Link) links.Details {
	s.t.Helper()
	found, err := s.Get(s.t.Context(), shop, string(l.ID))
	require.NoError(s.t, err)
	return found
}

func TestALinkBeginsAsItsPolicySays(t *testing.T) {
	s := setup(t)
	for policy, status := range map[business.Dialect]links.Status{a: links.Active, b: links.Pending} {
		l := s.make(params(policy))
		require.Regexp(t, "^plink_[0-9a-f]{32}$", l.ID)
		require.Equal(t, status, l.Status)
		require.Equal(t, links.Fixed, l.Type)
		require.Equal(t, money.NGN(5000_00), l.Amount)
		require.Equal(t, s.now, l.CreatedAt)
		require.Equal(t, s.now, l.UpdatedAt)
		require.Equal(t, l, s.get(l).Link)
	}
}

func TestTheAmountOfAnOpenLinkIsASuggestionOrNothing(t *testing.T) {
	s := setup(t)
	for _, policy := range []business.Dialect{a, b} {
		p := params(policy)
		p.Type, p.Amount = links.Open, money.Amount{}
		require.Equal(t, money.NGN(0), s.make(p).Amount, policy)
	}
	p := params(a)
	p.Type = links.Open
	require.Equal(t, money.NGN(5000_00), s.make(p).Amount, "only A takes one")
}

func TestALinkThatNoMethodPaysIsRefused(t *testing.T) {
	s := setup(t)
	refusal := errors.New("no method")
	var asked money.Asset
	none := links.New(ferry.Narrow(s.units, func(tx store.Tx) links.Tx { return tx }), links.Config{
		Takes: func(_ business.Business, order money.Asset) error { asked = order; return refusal },
	})
	_, err := none.Create(t.Context(), shop, params(a))
	require.ErrorIs(t, err, refusal)
	require.Equal(t, money.AssetNGN, asked)
	found, err := s.List(t.Context(), shop, links.Filter{}, ferry.Page{})
	require.NoError(t, err)
	require.Empty(t, found.Data)
}

func TestALinkAsksForAsManyFieldsAsItsPolicyKnows(t *testing.T) {
	s := setup(t)
	p := params(a)
	p.Fields = []string{"Address", "Phone", "Email"}
	require.Equal(t, p.Fields, s.make(p).Fields)
	p, p.Fields = params(b), nil
	for i := range 10 {
		p.Fields = append(p.Fields, fmt.Sprint("Shoe size ", i))
	}
	require.Equal(t, p.Fields, s.make(p).Fields, "any labels under B")
}

func TestARefusedLinkNamesEveryField(t *testing.T) {
	s := setup(t)
	_, err := s.Create(t.Context(), shop, links.CreateParams{Policy: a, Slug: "a b"})
	require.Equal(t, map[string]string{
		"title": "Missing required field", "currency": "Missing required field", "amount": "Missing required field",
		"slug": "Must be 1 to 50 letters, digits, hyphens or underscores",
	}, refusals(err))
	l := s.make(params(b))
	_, err = s.SetStatus(t.Context(), shop, string(l.ID), b, links.Completed)
	require.Equal(t, map[string]string{"status": "Must be pending, active, inactive, expired"}, refusals(err))
}

// refusals are the fields that an error names, with what it says of each.
func refusals(err error) map[string]string {
	refused, _ := errors.AsType[*ferry.Error](err)
	named := map[string]string{}
	for _, f := range refused.Fields {
		named[f.Name] = f.Message
	}
	return named
}

func TestALinkSaysWhenItWasClosed(t *testing.T) {
	for policy, closed := range map[business.Dialect]links.Status{a: links.Disabled, b: links.Inactive} {
		s := setup(t)
		l := s.at(policy, links.Active)
		require.Zero(t, l.DisabledAt)
		s.now = s.now.Add(time.Minute)
		moved, err := s.SetStatus(t.Context(), shop, string(l.ID), policy, closed)
		require.NoError(t, err)
		require.Equal(t, s.now, moved.DisabledAt)
		require.Equal(t, s.now, moved.UpdatedAt)
		if policy == b {
			moved, err = s.SetStatus(t.Context(), shop, string(l.ID), b, links.Active)
			require.NoError(t, err)
			require.Zero(t, moved.DisabledAt, "it is open again")
		}
	}
}

func TestAListOfLinksKnowsWhichHaveEnded(t *testing.T) {
	s := setup(t)
	ended := map[links.Status]links.Link{}
	for _, status := range []links.Status{links.Pending, links.Active, links.Inactive} {
		ended[status] = s.at(b, status)
	}
	open := s.put(s.make(params(b)), links.Active)
	s.now = s.now.Add(time.Hour) // and no worker has been there
	for _, status := range []links.Status{links.Pending, links.Active, links.Inactive, links.Ended} {
		want := []links.ID{}
		switch status {
		case links.Active:
			want = append(want, open.ID)
		case links.Ended:
			for _, l := range ended {
				want = append(want, l.ID)
			}
		}
		found, err := s.List(t.Context(), shop, links.Filter{As: b, Status: status}, ferry.Page{})
		require.NoError(t, err)
		got := []links.ID{}
		for _, l := range found.Data {
			got = append(got, l.ID)
			require.Equal(t, status, l.Status)
		}
		require.ElementsMatch(t, want, got, status)
	}
}

func TestThePlacesOfALinkAreLeftTakenOrPaid(t *testing.T) {
	s := setup(t)
	places := func(l links.Link) links.Places {
		found, err := s.Places(t.Context(), l)
		require.NoError(t, err)
		return found
	}
	require.Equal(t, links.Places{}, places(s.make(params(a))), "any number")
	p, limit := params(a), int64(5)
	p.QuantityLimit = &limit
	l := s.make(p)
	require.Equal(t, links.Places{Limited: true, Left: 5}, places(l))
	for range 3 {
		require.NoError(t, s.take(l))
	}
	s.count(l)
	require.Equal(t, links.Places{Limited: true, Left: 2, Unpaid: 2}, places(l))
}

func TestTheStatusOfALinkMovesAsItsPolicySays(t *testing.T) {
	type row struct {
		policy business.Dialect
		from   links.Status
		as     business.Dialect
		to     links.Status
		want   links.Status // empty: refused
	}
	rows := []row{
		{a, links.Active, a, links.Disabled, links.Disabled},
		{a, links.Disabled, a, links.Disabled, links.Disabled},
		{a, links.Ended, a, links.Disabled, ""},
		{a, links.Completed, a, links.Disabled, ""},
		{a, links.Active, b, links.Inactive, links.Disabled},
		{a, links.Active, b, links.Active, links.Active},
		{a, links.Disabled, b, links.Active, ""},
		{a, links.Active, b, links.Ended, ""},
		{a, links.Active, b, links.Pending, ""},
		{b, links.Pending, a, links.Disabled, links.Inactive},
		{b, links.Active, a, links.Disabled, links.Inactive},
		{b, links.Inactive, a, links.Disabled, links.Inactive},
		{b, links.Ended, a, links.Disabled, ""},
	}
	all := []links.Status{links.Pending, links.Active, links.Inactive, links.Ended}
	allowed := map[links.Status][]links.Status{
		links.Pending:  {links.Pending, links.Active, links.Inactive, links.Ended},
		links.Active:   {links.Active, links.Inactive, links.Ended},
		links.Inactive: {links.Active, links.Inactive, links.Ended},
		links.Ended:    {links.Ended},
	}
	for _, from := range all {
		for _, to := range all {
			want := links.Status("")
			for _, ok := range allowed[from] {
				if ok == to {
					want = to
				}
			}
			rows = append(rows, row{b, from, b, to, want})
		}
	}
	for _, r := range rows {
		t.Run(strings.Join([]string{string(r.policy), string(r.from), "asked in", string(r.as), "to be", string(r.to)}, " "), func(t *testing.T) {
			s := setup(t)
			l := s.at(r.policy, r.from)
			moved, err := s.SetStatus(t.Context(), shop, string(l.ID), r.as, r.to)
			if r.want == "" {
				require.ErrorIs(t, err, ferry.ErrInvalidTransition)
				require.Equal(t, r.from, s.get(l).Status)
				return
			}
			require.NoError(t, err)
			require.Equal(t, r.want, moved.Status)
			require.Equal(t, r.want, s.get(l).Status)
		})
	}
}

func TestAStatusThatADialectDoesNotNameIsRefused(t *testing.T) {
	s := setup(t)
	l := s.at(b, links.Active)
	for as, to := range map[business.Dialect]links.Status{a: links.Active, b: links.Disabled} {
		_, err := s.SetStatus(t.Context(), shop, string(l.ID), as, to)
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
	_, err := s.SetStatus(t.Context(), live, string(l.ID), b, links.Inactive)
	require.ErrorIs(t, err, links.ErrNotFound)
}

func TestEachDialectNamesStatusesInItsOwnWords(t *testing.T) {
	for status, want := range map[links.Status][2]links.Status{
		links.Pending: {links.Disabled, links.Pending}, links.Active: {links.Active, links.Active},
		links.Inactive: {links.Disabled, links.Inactive}, links.Disabled: {links.Disabled, links.Inactive},
		links.Completed: {links.Completed, links.Inactive}, links.Ended: {links.Ended, links.Ended},
	} {
		l := links.Link{Status: status}
		require.Equal(t, want, [2]links.Status{l.Seen(a), l.Seen(b)}, status)
	}
}

func TestATakenSlugIsRefusedByAAndNumberedByB(t *testing.T) {
	s := setup(t)
	p := params(a)
	p.Slug = "Shop"
	require.Equal(t, "Shop", s.make(p).Slug)
	p.Slug = "sHOP"
	_, err := s.Create(t.Context(), live, p)
	require.ErrorIs(t, err, links.ErrSlugTaken, "in the other environment, in another letter case")
	p.Policy = b
	require.Equal(t, "sHOP-2", s.make(p).Slug)
	require.Equal(t, "sHOP-3", s.make(p).Slug)
	p.Slug = strings.Repeat("x", 50)
	s.make(p)
	require.Equal(t, strings.Repeat("x", 48)+"-2", s.make(p).Slug, "at most 50 characters")
	p.Slug = ""
	require.Regexp(t, `^[0-9a-f]{12}$`, s.make(p).Slug)
}

func TestAHundredLinksOfOneSlugAtOnce(t *testing.T) {
	for policy, want := range map[business.Dialect]int{a: 1, b: 100} {
		s := setup(t)
		p := params(policy)
		p.Slug = "rush"
		var mu sync.Mutex
		var wg sync.WaitGroup
		slugs := map[string]bool{}
		for range 100 {
			wg.Go(func() {
				if l, err := s.Create(t.Context(), shop, p); err == nil {
					mu.Lock()
					defer mu.Unlock()
					slugs[links.FoldSlug(l.Slug)] = true
				}
			})
		}
		wg.Wait()
		require.Len(t, slugs, want, policy)
	}
}

func TestWhatALinkRefuses(t *testing.T) {
	zero := int64(0)
	long := strings.Repeat("x", 501)
	for name, c := range map[string]struct {
		change func(*links.CreateParams)
		field  string
	}{
		"no title":                       {func(p *links.CreateParams) { p.Title = "" }, "title"},
		"a title of 101 characters":      {func(p *links.CreateParams) { p.Title = long[:101] }, "title"},
		"a description of 501":           {func(p *links.CreateParams) { p.Description = long }, "description"},
		"no amount":                      {func(p *links.CreateParams) { p.Amount = money.Amount{} }, "amount"},
		"an amount of nothing":           {func(p *links.CreateParams) { p.Amount = money.NGN(0) }, "amount"},
		"an amount of an open link of B": {func(p *links.CreateParams) { p.Type, p.Policy = links.Open, business.DialectB }, "amount"},
		"an amount of less than nothing": {func(p *links.CreateParams) { p.Amount = money.NGN(-1) }, "amount"},
		"an amount above the ceiling":    {func(p *links.CreateParams) { p.Amount = money.NGN(money.Ceiling + 1) }, "amount"},
		"a bad suggestion":               {func(p *links.CreateParams) { p.Type, p.Amount = links.Open, money.NGN(-1) }, "amount"},
		"a suggestion above the ceiling": {func(p *links.CreateParams) { p.Type, p.Amount = links.Open, money.NGN(money.Ceiling+1) }, "amount"},
		"another type, and no amount":    {func(p *links.CreateParams) { p.Type, p.Amount = "gift", money.Amount{} }, "type"},
		"a field without a label":        {func(p *links.CreateParams) { p.Fields = []string{""} }, "fields.0"},
		"eleven fields":                  {func(p *links.CreateParams) { p.Policy, p.Fields = b, strings.Split("abcdefghijk", "") }, "fields"},
		"no currency":                    {func(p *links.CreateParams) { p.Currency = "" }, "currency"},
		"another type":                   {func(p *links.CreateParams) { p.Type = "gift" }, "type"},
		"a slug of 51 characters":        {func(p *links.CreateParams) { p.Slug = long[:51] }, "slug"},
		"a slug with a space":            {func(p *links.CreateParams) { p.Slug = "a b" }, "slug"},
		"a reserved slug":                {func(p *links.CreateParams) { p.Slug = "Checkout" }, "slug"},
		"a limit of nothing":             {func(p *links.CreateParams) { p.QuantityLimit = &zero }, "quantity_limit"},
		"a field that A does not know":   {func(p *links.CreateParams) { p.Fields = []string{"Shoe size"} }, "fields.0"},
		"a field twice":                  {func(p *links.CreateParams) { p.Fields = []string{"Email", "Email"} }, "fields.1"},
		"an end that has passed":         {func(p *links.CreateParams) { p.ExpiresAt = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }, "expires_at"},
		"a success URL that is no URL":   {func(p *links.CreateParams) { p.SuccessURL = "shop" }, "success_url"},
		"a cancel URL that is a script":  {func(p *links.CreateParams) { p.CancelURL = "javascript:alert(1)" }, "cancel_url"},
		"metadata of more than ten keys": {func(p *links.CreateParams) { p.Metadata = eleven }, "metadata"},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			p := params(a)
			c.change(&p)
			_, err := s.Create(t.Context(), shop, p)
			require.ErrorIs(t, err, ferry.ErrValidation)
			var refused *ferry.Error
			require.ErrorAs(t, err, &refused)
			require.Len(t, refused.Fields, 1)
			require.Equal(t, c.field, refused.Fields[0].Name)
		})
	}
	p := params(a)
	p.Currency, p.Amount = "USD", money.Amount{}
	_, err := setup(t).Create(t.Context(), shop, p)
	require.ErrorIs(t, err, links.ErrInvalidCurrency)
}

var eleven = func() ferry.Metadata {
	m := ferry.Metadata{}
	for _, key := range "abcdefghijk" {
		m[string(key)] = "x"
	}
	return m
}()

func TestALivePageIsAnHTTPSPageOfAnAllowedHost(t *testing.T) {
	for url, want := range map[string][2]bool{ // in the sandbox, live
		"https://shop.example.com/ok?x=1#top": {true, true},
		"https://SHOP.example.com/":           {true, true},
		"https://evil.example.com/":           {true, false},
		"http://shop.example.com/":            {true, false},
		"http://localhost:3000/ok":            {true, false},
		"https://user@shop.example.com/":      {false, false},
		"https://shop.example.com\\@evil.com": {false, false},
		"//shop.example.com":                  {false, false},
		"https:shop.example.com":              {false, false},
		"data:text/html,x":                    {false, false},
	} {
		s := setup(t)
		p := params(b)
		p.SuccessURL = url
		_, inTest := s.Create(t.Context(), shop, p)
		_, inLive := s.Create(t.Context(), live, p)
		require.Equal(t, want, [2]bool{inTest == nil, inLive == nil}, url)
	}
}

func TestOnlyAnActiveLinkTakesPayments(t *testing.T) {
	for status, want := range map[links.Status]error{
		links.Pending: links.ErrNotActive, links.Active: nil, links.Inactive: links.ErrNotActive, links.Ended: links.ErrNotActive,
	} {
		s := setup(t)
		require.ErrorIs(t, s.take(s.at(b, status)), want, status)
	}
	s := setup(t)
	require.ErrorIs(t, s.take(s.at(a, links.Disabled)), links.ErrNotActive)
}

func TestALinkExpiresWhetherOrNotTheWorkerCame(t *testing.T) {
	for _, from := range []links.Status{links.Pending, links.Active, links.Inactive} {
		s := setup(t)
		l := s.at(b, from)
		s.now = s.now.Add(time.Hour)
		require.Equal(t, links.Ended, s.get(l).Status, "on reading")
		require.ErrorIs(t, s.take(l), links.ErrNotActive)
		done, err := s.RunDue(t.Context(), 10)
		require.NoError(t, err)
		require.Equal(t, 1, done)
		require.Equal(t, links.Ended, s.get(l).Status)
		require.False(t, s.working(), "its work is done")
		s.now = s.now.Add(-2 * time.Hour)
		require.Equal(t, links.Ended, s.get(l).Status, "for good")
	}
}

// working reports whether a worker has a link.
func (s *stage) working() (held bool) {
	require.NoError(s.t, s.units.In(ferry.Test).Read(s.t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		held, err = tx.Leases().Held(ctx, []lease.Queue{links.QueueExpiry.In(ferry.Test)})
		return err
	}))
	return held
}

func TestALinkThatWasReadBeforeItsEndTakesNoPaymentsAfterIt(t *testing.T) {
	s := setup(t)
	l := s.at(a, links.Active)
	s.now = l.ExpiresAt
	err := s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error { return links.TakeIn(ctx, tx, l) })
	require.ErrorIs(t, err, links.ErrNotActive)
}

func TestALinkWithoutAnEndIsNoWork(t *testing.T) {
	s := setup(t)
	s.make(params(a))
	done, err := s.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Zero(t, done)
}

func TestOfFiftyWhoPayAtOnceAsManyBeginAsTheLimitAllows(t *testing.T) {
	s := setup(t)
	p, limit := params(a), int64(10)
	p.QuantityLimit = &limit
	l := s.make(p)
	errs := make([]error, 50)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = s.take(l) })
	}
	wg.Wait()
	begun := 0
	for _, err := range errs {
		if err == nil {
			begun++
		} else {
			require.ErrorIs(t, err, links.ErrLimitReached)
		}
	}
	require.Equal(t, 10, begun)
	require.NoError(t, s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return links.FreeIn(ctx, tx, shop, l.ID)
	}))
	require.NoError(t, s.take(l), "a place that was given back")
	require.ErrorIs(t, s.take(l), links.ErrLimitReached)
}

func TestALinkThatIsPaidUpIsCompletedUnderAOnly(t *testing.T) {
	for policy, want := range map[business.Dialect]links.Status{a: links.Completed, b: links.Active} {
		s := setup(t)
		p, once := params(policy), int64(1)
		p.QuantityLimit = &once
		l := s.put(s.make(p), links.Active)
		require.NoError(t, s.take(l))
		require.Equal(t, links.Active, s.get(l).Status, "taken, not paid")
		s.count(l)
		require.Equal(t, want, s.get(l).Status)
		require.Equal(t, int64(1), s.get(l).Paid)
		require.Equal(t, money.NGN(5000_00), s.get(l).Total)
		require.ErrorIs(t, s.take(l), links.ErrLimitReached)
	}
}

func TestAPaymentCompletesOnlyAnActiveLinkThatIsPaidUp(t *testing.T) {
	for name, c := range map[string]struct {
		limit  int64
		status links.Status
		wait   time.Duration
		want   links.Status
	}{
		"of two":                  {2, links.Active, 0, links.Active},
		"of any number":           {0, links.Active, 0, links.Active},
		"the last of one closed":  {1, links.Disabled, 0, links.Disabled},
		"the last, after its end": {1, links.Active, 2 * time.Hour, links.Ended},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			p := params(a)
			p.ExpiresAt = s.now.Add(time.Hour)
			if c.limit > 0 {
				p.QuantityLimit = &c.limit
			}
			l := s.make(p)
			require.NoError(t, s.take(l))
			l = s.put(l, c.status)
			s.now = s.now.Add(c.wait)
			s.count(l)
			require.Equal(t, c.want, s.get(l).Status)
			require.Equal(t, int64(1), s.get(l).Paid)
		})
	}
}

func TestLinksAreListedAsADialectNamesThem(t *testing.T) {
	s := setup(t)
	disabled, inactive := s.at(a, links.Disabled), s.at(b, links.Inactive)
	s.at(a, links.Active)
	for as, status := range map[business.Dialect]links.Status{a: links.Disabled, b: links.Inactive} {
		found, err := s.List(t.Context(), shop, links.Filter{As: as, Status: status}, ferry.Page{})
		require.NoError(t, err)
		require.Equal(t, 2, found.Total)
		require.ElementsMatch(t, []links.ID{disabled.ID, inactive.ID}, []links.ID{found.Data[0].ID, found.Data[1].ID})
	}
	walked := 0
	for _, err := range s.All(t.Context(), shop, links.Filter{}) {
		require.NoError(t, err)
		walked++
	}
	require.Equal(t, 3, walked)
}

func TestThePayersOfALinkWithoutALimitDoNotWaitForEachOther(t *testing.T) {
	s := setup(t)
	l := s.put(s.make(params(a)), links.Active)
	require.NoError(t, s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		require.NoError(t, links.TakeIn(ctx, tx, l))
		tally, err := links.TallyOf(ctx, tx, shop, l.ID)
		require.Zero(t, tally.Version, "no row that all of them change")
		require.NoError(t, err)
		require.NoError(t, links.FreeIn(ctx, tx, shop, l.ID))
		tally, err = links.TallyOf(ctx, tx, shop, l.ID)
		require.Zero(t, tally.Version, "nor one that gives back what was not taken")
		return err
	}))
}

func TestWhoPaidHasAPlaceAlsoOfALinkWithoutALimit(t *testing.T) {
	s := setup(t)
	l := s.put(s.make(params(a)), links.Active)
	require.NoError(t, s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		require.NoError(t, links.TakeIn(ctx, tx, l))
		require.NoError(t, links.CountIn(ctx, tx, shop, l.ID, money.NGN(7)))
		once, err := links.TallyOf(ctx, tx, shop, l.ID)
		require.NoError(t, err)
		require.Equal(t, [2]int64{1, 1}, [2]int64{once.Paid, once.Taken})
		require.NoError(t, links.UncountIn(ctx, tx, shop, l.ID, money.NGN(7)))
		require.NoError(t, links.CountIn(ctx, tx, shop, l.ID, money.NGN(7)))
		tally, err := links.TallyOf(ctx, tx, shop, l.ID)
		require.Equal(t, [2]int64{1, 1}, [2]int64{tally.Paid, tally.Taken})
		return err
	}))
}
