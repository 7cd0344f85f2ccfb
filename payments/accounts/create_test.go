package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/store"
)

// What is said of a field that is refused.
const (
	missing      = "Missing required field"
	badReference = "Must be 1 to 100 letters, digits, hyphens or underscores"
	badLife      = "Must be 1 to 86400 seconds"
	foreign      = "Must be that of the identity's customer"
)

// refusals are the fields that an error names, with what it says of each.
func refusals(err error) map[string]string {
	refused, ok := errors.AsType[*ferry.Error](err)
	if !ok {
		return nil
	}
	named := map[string]string{}
	for _, f := range refused.Fields {
		named[f.Name] = f.Message
	}
	return named
}

func TestAVirtualAccountBeginsActiveInTheNameOfTheBusiness(t *testing.T) {
	s := setup(t)
	a := s.virtual(invoice("invoice-1"))
	require.Regexp(t, "^vacc_[0-9a-f]{32}$", a.ID)
	require.Equal(t, accounts.Active, a.Status)
	require.Equal(t, "invoice-1", a.Reference)
	require.Equal(t, money.NGN(500_00), a.Amount)
	require.Equal(t, money.NGN(0), a.Received)
	require.Equal(t, 15*time.Minute, a.ValidFor, "when nobody says")
	require.Equal(t, s.now.Add(15*time.Minute), a.ExpiresAt)
	require.Equal(t, "Ada's shop", a.Bank.AccountName)
	require.Equal(t, a, s.get(a))
	require.Empty(t, s.events())
}

func TestAVirtualAccountWithoutAmountAsksForNone(t *testing.T) {
	s := setup(t)
	p := invoice("invoice-1")
	p.Amount = money.Amount{}
	require.Equal(t, money.NGN(0), s.virtual(p).Amount)
}

func TestTheLifeOfAVirtualAccountIsASecondToADay(t *testing.T) {
	s := setup(t)
	for _, seconds := range []int64{1, 60, 86_400} {
		p := invoice(fmt.Sprint("valid-", seconds))
		p.ValidFor = ptr(seconds)
		a := s.virtual(p)
		require.Equal(t, time.Duration(seconds)*time.Second, a.ValidFor)
		require.Equal(t, s.now.Add(a.ValidFor), a.ExpiresAt)
	}
	for _, seconds := range []int64{-1, 0, 86_401, 1 << 62} {
		p := invoice("invalid")
		p.ValidFor = ptr(seconds)
		_, err := s.CreateVirtual(t.Context(), shop, p)
		require.ErrorIs(t, err, ferry.ErrValidation)
		require.Equal(t, map[string]string{"validFor": badLife}, refusals(err))
	}
}

func TestARefusedVirtualAccountNamesEveryField(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*accounts.VirtualParams)
		fields map[string]string
	}{
		"without anything":                   {func(p *accounts.VirtualParams) { *p = accounts.VirtualParams{} }, map[string]string{"currency": missing, "reference": missing}},
		"with a space in its reference":      {func(p *accounts.VirtualParams) { p.Reference = "a b" }, map[string]string{"reference": badReference}},
		"with a reference of 101 characters": {func(p *accounts.VirtualParams) { p.Reference = strings.Repeat("a", 101) }, map[string]string{"reference": badReference}},
		"of nothing":                         {func(p *accounts.VirtualParams) { p.Amount = money.NGN(0) }, map[string]string{"amount": "Must be greater than 0"}},
		"of less than nothing":               {func(p *accounts.VirtualParams) { p.Amount = money.NGN(-1) }, map[string]string{"amount": "Must be greater than 0"}},
		"of more than one operation moves":   {func(p *accounts.VirtualParams) { p.Amount = money.NGN(money.Ceiling + 1) }, map[string]string{"amount": money.NGN(money.Ceiling + 1).CeilingProblem()}},
		"of another asset":                   {func(p *accounts.VirtualParams) { p.Amount = money.USDC(500) }, map[string]string{"amount": "Must be in naira"}},
		"with everything wrong at once": {func(p *accounts.VirtualParams) {
			*p = accounts.VirtualParams{Reference: "ü", Amount: money.NGN(-1), ValidFor: ptr(int64(0))}
		}, map[string]string{"currency": missing, "reference": badReference, "amount": "Must be greater than 0", "validFor": badLife}},
		"in another currency, and else right": {func(p *accounts.VirtualParams) { p.Currency = "USDC" }, nil},
		"in no currency that there is":        {func(p *accounts.VirtualParams) { p.Currency = "GOLD" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			p := invoice("invoice-1")
			c.change(&p)
			_, err := s.CreateVirtual(t.Context(), shop, p)
			if c.fields == nil {
				require.ErrorIs(t, err, accounts.ErrInvalidCurrency)
			} else {
				require.ErrorIs(t, err, ferry.ErrValidation)
				require.Equal(t, c.fields, refusals(err))
			}
			require.Empty(t, s.opened, "the bank is not asked for it")
		})
	}
}

func TestAReferenceOfAHundredCharactersIsTaken(t *testing.T) {
	s := setup(t)
	longest := strings.Repeat("aZ0-_", 20)
	require.Equal(t, longest, s.virtual(invoice(longest)).Reference)
}

func TestAReferenceIsUsedOnceInAScopeWhateverBecameOfItsAccount(t *testing.T) {
	for _, status := range []accounts.Status{accounts.Active, accounts.Completed, accounts.Expired, accounts.Closed} {
		s := setup(t)
		first := s.at(accounts.Virtual, status)
		_, err := s.CreateVirtual(t.Context(), shop, invoice(first.Reference))
		require.ErrorIs(t, err, accounts.ErrDuplicateReference, status)
		_, err = s.CreateVirtual(t.Context(), other, invoice(first.Reference))
		require.NoError(t, err, "another business has names of its own")
		require.Len(t, s.opened, 2)
	}
}

func TestABankThatIsDownLeavesNothingAndTheSameRequestGoesOn(t *testing.T) {
	s := setup(t)
	identity := s.identity(shop, customers.IdentityVerified)
	creations := map[accounts.Kind]func() (accounts.Account, error){
		accounts.Virtual: func() (accounts.Account, error) { return s.CreateVirtual(t.Context(), shop, invoice("invoice-1")) },
		accounts.Reserved: func() (accounts.Account, error) {
			return s.CreateReserved(t.Context(), shop, whose(identity))
		},
	}
	for kind, create := range creations {
		s.down = bank.ErrUnavailable
		_, err := create()
		require.ErrorIs(t, err, accounts.ErrUnavailable)
		require.ErrorIs(t, err, bank.ErrUnavailable, "the cause is kept")
		found, err := s.List(t.Context(), shop, accounts.Filter{Kind: kind}, ferry.Page{})
		require.NoError(t, err)
		require.Empty(t, found.Data)

		s.down = nil
		made, err := create()
		require.NoError(t, err)
		require.Equal(t, accounts.Active, made.Status)
	}
}

func TestAReferenceThatIsTakenIsRefusedWithoutTheBank(t *testing.T) {
	s := setup(t)
	first := s.virtual(invoice("invoice-1"))
	s.down = bank.ErrUnavailable
	_, err := s.CreateVirtual(t.Context(), shop, invoice(first.Reference))
	require.ErrorIs(t, err, accounts.ErrDuplicateReference)
}

func TestAnAccountThatTheBankOpenedForALostRequestIsUsedByTheNextOne(t *testing.T) {
	s := setup(t)
	lost := s.CreateVirtualOp(shop, invoice("invoice-1")).Begin()
	require.NoError(t, lost.Prepare(t.Context(), "")) // and then the process dies
	require.Len(t, s.opened, 1)
	made := s.virtual(invoice("invoice-1"))
	require.Len(t, s.opened, 1)
	require.Contains(t, slices.Collect(maps.Values(s.opened)), made.Bank)
}

func TestAnEnvironmentWithoutABankIssuesNoAccounts(t *testing.T) {
	s := setup(t)
	_, err := s.CreateVirtual(t.Context(), live, invoice("invoice-1"))
	require.ErrorIs(t, err, accounts.ErrUnavailable)
	refused, _ := errors.AsType[*ferry.Error](err)
	require.Zero(t, refused.RetryAfter, "waiting does not help")
	_, err = s.CreateReserved(t.Context(), live, whose(s.identity(live, customers.IdentityVerified)))
	require.ErrorIs(t, err, accounts.ErrUnavailable)
}

func TestAHundredEqualReferencesAtOnceAreOneAccount(t *testing.T) {
	s := setup(t)
	errs := make([]error, 100)
	var working sync.WaitGroup
	for n := range errs {
		working.Go(func() { _, errs[n] = s.CreateVirtual(t.Context(), shop, invoice("invoice-1")) })
	}
	working.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
			continue
		}
		require.ErrorIs(t, err, accounts.ErrDuplicateReference)
	}
	require.Equal(t, 1, made)
	require.Len(t, s.opened, 1)
}

func TestAReservedAccountBelongsToAVerifiedIdentity(t *testing.T) {
	s := setup(t)
	identity := s.identity(shop, customers.IdentityVerified)
	p := whose(identity)
	p.IdentityID, p.Email, p.Phone = ferry.UID(string(identity.ID)), " Ada@Example.com ", "+234 801-234 5678"
	a, err := s.CreateReserved(t.Context(), shop, p)
	require.NoError(t, err)
	require.Regexp(t, "^racc_[0-9a-f]{32}$", a.ID)
	require.Equal(t, string(a.ID), a.Reference, "its reference is made")
	require.Equal(t, accounts.Active, a.Status)
	require.Equal(t, identity.ID, a.Identity)
	require.Equal(t, identity.CustomerID, a.Customer)
	require.Equal(t, "ada@example.com", a.Email)
	require.Equal(t, "+2348012345678", a.Phone)
	require.Equal(t, "ADA OBI", a.Bank.AccountName, "the name that was verified")
	require.True(t, a.ExpiresAt.IsZero())
	require.Equal(t, money.NGN(0), a.Amount)
	require.Equal(t, a, s.get(a))
	require.Equal(t, []accounts.ID{a.ID}, in(s, func(ctx context.Context, tx store.Tx) ([]accounts.ID, error) {
		return s.OfCustomerIn(ctx, tx, shop, identity.CustomerID)
	}))
}

func TestAReservedAccountIsRefused(t *testing.T) {
	s := setup(t)
	verified := s.identity(shop, customers.IdentityVerified)
	for name, c := range map[string]struct {
		change func(*accounts.ReservedParams)
		want   error
		fields map[string]string
	}{
		"without anything": {
			func(p *accounts.ReservedParams) { *p = accounts.ReservedParams{} }, ferry.ErrValidation,
			map[string]string{"currency": missing, "identity_id": missing, "email": missing, "phone_number": missing},
		},
		"with what is no email":   {func(p *accounts.ReservedParams) { p.Email = "ada" }, ferry.ErrValidation, map[string]string{"email": "Invalid email format"}},
		"with an email of blanks": {func(p *accounts.ReservedParams) { p.Email = " " }, ferry.ErrValidation, map[string]string{"email": "Invalid email format"}},
		"with contacts of somebody else": {
			func(p *accounts.ReservedParams) { p.Email, p.Phone = "bola@example.com", "+2348012345679" }, ferry.ErrValidation,
			map[string]string{"email": foreign, "phone_number": foreign},
		},
		"with what is no phone number":    {func(p *accounts.ReservedParams) { p.Phone = "8012345678" }, ferry.ErrValidation, map[string]string{"phone_number": "Invalid phone format"}},
		"in another currency":             {func(p *accounts.ReservedParams) { p.Currency = "USDC" }, accounts.ErrInvalidCurrency, nil},
		"for what cannot be an identity":  {func(p *accounts.ReservedParams) { p.IdentityID = "idn_1" }, customers.ErrIdentityNotFound, nil},
		"for an identity that nobody has": {func(p *accounts.ReservedParams) { p.IdentityID = "idn_00000000000000000000000000000000" }, customers.ErrIdentityNotFound, nil},
		"for an identity of another business": {func(p *accounts.ReservedParams) {
			p.IdentityID = string(s.identity(other, customers.IdentityVerified).ID)
		}, customers.ErrIdentityNotFound, nil},
		"for one of the other environment": {func(p *accounts.ReservedParams) {
			p.IdentityID = string(s.identity(live, customers.IdentityVerified).ID)
		}, customers.ErrIdentityNotFound, nil},
		"for one that was only asked for": {func(p *accounts.ReservedParams) {
			p.IdentityID = string(s.identity(shop, customers.IdentityRequested).ID)
		}, customers.ErrNotVerified, nil},
		"for one whose password was only sent": {func(p *accounts.ReservedParams) { p.IdentityID = string(s.identity(shop, customers.IdentitySent).ID) }, customers.ErrNotVerified, nil},
		"for one that was rejected": {func(p *accounts.ReservedParams) {
			p.IdentityID = string(s.identity(shop, customers.IdentityRejected).ID)
		}, customers.ErrNotVerified, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := whose(verified)
			c.change(&p)
			_, err := s.CreateReserved(t.Context(), shop, p)
			require.ErrorIs(t, err, c.want)
			if c.fields != nil {
				require.Equal(t, c.fields, refusals(err))
			}
			require.Empty(t, s.opened, "the bank is not asked for it")
		})
	}
}

func TestThePhoneNumberOfACustomerIsTheSameInItsNationalForm(t *testing.T) {
	s := setup(t)
	p := whose(s.identity(shop, customers.IdentityVerified))
	p.Phone = "0801 234 5678"
	a, err := s.CreateReserved(t.Context(), shop, p)
	require.NoError(t, err)
	require.Equal(t, "08012345678", a.Phone, "as it was asked for")
}

func TestAPhoneNumberIsInternationalOrOfElevenDigits(t *testing.T) {
	s := setup(t)
	identity := in(s, func(ctx context.Context, tx store.Tx) (customers.Identity, error) { // of no customer, whose phone it would have to be
		made := customers.Identity{ID: "idn_00000000000000000000000000000009", Scope: shop, Type: kyc.BVN, Status: customers.IdentityVerified, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		return made, customers.IdentityKind.Insert(ctx, tx, made)
	})
	for _, phone := range []string{"08012345678", "+2348012345678", "0801 234 5678", "+44-20-7946-0000"} {
		p := whose(identity)
		p.Phone = phone
		_, err := s.CreateReserved(t.Context(), shop, p)
		require.NoError(t, err, phone)
	}
	require.Len(t, s.opened, 4, "each is an account of its own")
}
