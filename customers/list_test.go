package customers_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

func TestAListIsFilteredInTheFormsInWhichRowsAreKept(t *testing.T) {
	b := setup(t)
	one := b.create(person(1))
	b.clock.pass(time.Minute)
	p := company(2)
	p.BusinessName = "Ọbí & Sons"
	two := b.create(p)
	for name, given := range map[string]struct {
		filter customers.Filter
		want   []customers.ID
	}{
		"nothing":                                {customers.Filter{}, []customers.ID{two.ID, one.ID}},
		"type":                                   {customers.Filter{Type: customers.Company}, []customers.ID{two.ID}},
		"status":                                 {customers.Filter{Status: customers.Verified}, nil},
		"email in any case":                      {customers.Filter{Email: " ADA1@example.com"}, []customers.ID{one.ID}},
		"phone with separators":                  {customers.Filter{Phone: "+234 80-00000001"}, []customers.ID{one.ID}},
		"phone whose plus sign became a space":   {customers.Filter{Phone: " 2348000000001"}, []customers.ID{one.ID}},
		"a part of a name in any case, composed": {customers.Filter{Search: "O\u0323BI\u0301"}, []customers.ID{two.ID}},
		"a part of an email":                     {customers.Filter{Search: "OFFICE2@"}, []customers.ID{two.ID}},
		"a time":                                 {customers.Filter{Range: ferry.Range{From: two.CreatedAt}}, []customers.ID{two.ID}},
	} {
		t.Run("by "+name, func(t *testing.T) {
			list, err := b.List(b.ctx, home, given.filter, ferry.Page{})
			require.NoError(t, err)
			require.Equal(t, len(given.want), list.Total)
			for i, c := range list.Data {
				require.Equal(t, given.want[i], c.ID)
			}
		})
	}
}

func TestAFilterWithUnknownWordsIsRefused(t *testing.T) {
	b := setup(t)
	_, err := b.List(b.ctx, home, customers.Filter{Type: "person", Status: "new"}, ferry.Page{})
	requireFields(t, err, map[string]string{
		"type": "Must be individual or business", "status": "Must be pending_verification, verified or rejected",
	})
}

func TestAllWalksEveryCustomerOfTheScopeNewestFirst(t *testing.T) {
	b := setup(t)
	const n = 230
	for i := range n {
		b.create(person(i))
	}
	_, err := b.Create(b.ctx, away, person(1))
	require.NoError(t, err)
	var previous customers.ID
	count := 0
	for c, err := range b.All(b.ctx, home, customers.Filter{Type: customers.Individual}) {
		require.NoError(t, err)
		require.True(t, previous == "" || c.ID < previous, "newest first")
		previous, count = c.ID, count+1
	}
	require.Equal(t, n, count)
	for _, err := range b.All(b.ctx, home, customers.Filter{Type: "person"}) {
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
}
