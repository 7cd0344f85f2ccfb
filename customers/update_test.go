package customers_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

func TestAChangeTouchesWhatItNames(t *testing.T) {
	b := setup(t)
	p := person(1)
	p.Address, p.City, p.State = "12 Marina Road", "Lagos", "Lagos"
	p.Metadata = ferry.Metadata{"tier": "gold", "old": true}
	before := b.create(p)
	b.clock.pass(time.Minute)

	after, err := b.Update(b.ctx, home, before.ID, customers.UpdateParams{
		Email: ptr("Ada.Obi@Example.com"), Phone: ptr("+234 802 000 0000"), City: ptr(" Abuja "), State: ptr(""),
		Metadata: ferry.Metadata{"tier": "silver", "old": nil, "unknown": nil, "new": "x"},
	})
	require.NoError(t, err)
	want := b.customer(before.ID)
	require.Equal(t, after.Email, want.Email)
	require.Equal(t, "ada.obi@example.com", want.Email)
	require.Equal(t, "+2348020000000", want.Phone)
	require.Equal(t, []string{"12 Marina Road", "Abuja", ""}, []string{want.Address, want.City, want.State})
	require.Equal(t, ferry.Metadata{"tier": "silver", "new": "x"}, want.Metadata)
	require.Equal(t, before.CreatedAt, want.CreatedAt)
	require.Equal(t, b.clock.Now(), want.UpdatedAt)
	require.Equal(t, customers.PendingVerification, want.Status)
}

func TestTheMetadataLimitHoldsAfterMerging(t *testing.T) {
	b := setup(t)
	for _, base := range []func(int) customers.CreateParams{person, company} {
		p := base(1)
		p.Metadata = keys(10)
		c := b.create(p)
		_, err := b.Update(b.ctx, home, c.ID, customers.UpdateParams{Metadata: ferry.Metadata{"one": "more"}})
		requireFields(t, err, map[string]string{"metadata": "Must have at most 10 keys"})
		_, err = b.Update(b.ctx, home, c.ID, customers.UpdateParams{Metadata: ferry.Metadata{"one": "more", "key0": nil}})
		require.NoError(t, err)
		require.Len(t, b.customer(c.ID).Metadata, 10)
	}
}

func TestARefusedChangeNamesEveryFieldAndChangesNothing(t *testing.T) {
	b := setup(t)
	before := b.create(person(1))
	_, err := b.Update(b.ctx, home, before.ID, customers.UpdateParams{
		Email: ptr("ada"), Phone: ptr(""), City: ptr("x\u200by"), Metadata: ferry.Metadata{"deep": []any{}},
		BVN: ptr(customers.Number("1")), NIN: ptr(customers.Number("")), CACNumber: ptr("RC1"),
		Fixed: map[string]string{"type": "business", "first_name": "Bola", "last_name": before.LastName, "shoe_size": "9"},
	})
	requireFields(t, err, map[string]string{
		"email": "Invalid email format", "phone": "Missing required field",
		"city":          "Must not contain control or invisible characters",
		"metadata.deep": "Must be a string, number or boolean",
		"bvn":           "Invalid BVN format", "nin": "Missing required field", "cac_number": "Belongs to businesses only",
		"type": "This field cannot be changed", "first_name": "This field cannot be changed", "shoe_size": "This field cannot be changed",
	})
	require.Equal(t, before.Email, b.customer(before.ID).Email)
}

func TestANumberIsSetOnceAndThenStays(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	numbers := func(bvn, nin customers.Number) customers.UpdateParams {
		return customers.UpdateParams{BVN: &bvn, NIN: &nin}
	}
	_, err := b.Update(b.ctx, home, c.ID, numbers(goodBVN, goodNIN))
	require.NoError(t, err, "unset: stored")
	masks, err := b.Masks(b.customer(c.ID))
	require.NoError(t, err)
	require.Equal(t, customers.Masks{BVN: maskGoodBVN, NIN: "555123****0"}, masks)

	_, err = b.Update(b.ctx, home, c.ID, numbers(goodBVN, goodNIN))
	require.NoError(t, err, "equal: nothing to change")
	_, err = b.Update(b.ctx, home, c.ID, numbers(otherBVN, "11111111111"))
	requireFields(t, err, map[string]string{"bvn": "This field cannot be changed", "nin": "This field cannot be changed"})
	require.Equal(t, customers.Masks{BVN: maskGoodBVN, NIN: "555123****0"}, masks)

	shop := b.create(company(2))
	_, err = b.Update(b.ctx, home, shop.ID, customers.UpdateParams{CACNumber: ptr(string(goodCAC))})
	require.NoError(t, err, "equal: nothing to change")
	_, err = b.Update(b.ctx, home, shop.ID, customers.UpdateParams{CACNumber: ptr("RC9"), BVN: ptr(goodBVN)})
	requireFields(t, err, map[string]string{"cac_number": "This field cannot be changed", "bvn": "Belongs to individuals only"})
}

func TestAChangeCannotTakeTheContactOfAnotherCustomer(t *testing.T) {
	b := setup(t)
	first, second := b.create(person(1)), b.create(person(2))
	_, err := b.Update(b.ctx, home, second.ID, customers.UpdateParams{Email: ptr("ADA1@example.com")})
	require.ErrorIs(t, err, customers.ErrDuplicate)
	_, err = b.Update(b.ctx, home, second.ID, customers.UpdateParams{Phone: ptr(first.Phone)})
	require.ErrorIs(t, err, customers.ErrDuplicate)
	_, err = b.Update(b.ctx, home, first.ID, customers.UpdateParams{Email: ptr(first.Email), Phone: ptr(first.Phone)})
	require.NoError(t, err, "its own are no duplicates")
	_, err = b.Update(b.ctx, home, first.ID, customers.UpdateParams{Email: ptr("new@example.com")})
	require.NoError(t, err)
	_, err = b.Update(b.ctx, home, second.ID, customers.UpdateParams{Email: ptr("ada1@example.com")})
	require.NoError(t, err, "what was given up is free")
}

func TestOfManyChangesToOneEmailOneHappens(t *testing.T) {
	b := setup(t)
	var all []customers.ID
	for i := range 8 {
		all = append(all, b.create(person(i)).ID)
	}
	requireOne(t, customers.ErrDuplicate, race(len(all), func(i int) error {
		_, err := b.Update(b.ctx, home, all[i], customers.UpdateParams{Email: ptr("one@example.com")})
		return err
	}))
}
