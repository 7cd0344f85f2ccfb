package httpapi_test

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestADepositIsWaitedFor(t *testing.T) {
	s := apitest.Start(t, apitest.Config{}) // the clock stands: no real time makes a block
	address := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.primary_address")
	for range 20 {
		done := s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": "5"}).OK()
		require.Equal(t, "credited", done.Text("data.status"))
		require.Equal(t, address, done.Text("data.address"))
		require.Equal(t, "5", done.Number("data.amount"))
		require.NotEmpty(t, done.Text("data.transaction_hash"))
	}
	require.Equal(t, "100", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"))

	other := s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": 5, "mint": stranger}).OK()
	require.Equal(t, "unsupported", other.Text("data.status"))
	require.Equal(t, "100", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"))
}

func TestADepositMovesTheSandboxClockToItsFinality(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.primary_address")
	before, live := s.Engine.Clock(ferry.Test).Now(), s.Engine.Clock(ferry.Live).Now()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": 5}).OK()
	moved := s.Engine.Clock(ferry.Test).Now().Sub(before)
	require.GreaterOrEqual(t, moved, sandbox.FinalizedAfter*sandbox.SlotTime)
	require.LessOrEqual(t, moved, (sandbox.FinalizedAfter+2)*sandbox.SlotTime, "one slot to land in, and one without a block")
	require.Equal(t, live, s.Engine.Clock(ferry.Live).Now())
}

func TestDepositsAtOnceAreAllCreditedAndMoveTheClockTogether(t *testing.T) {
	const deposits = 16
	s := apitest.Start(t, apitest.Config{})
	address := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.primary_address")
	before := s.Engine.Clock(ferry.Test).Now()
	states := make([]any, deposits)
	var all sync.WaitGroup
	for i := range deposits {
		all.Go(func() {
			states[i] = s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": 5}).At("data.status")
		})
	}
	all.Wait()
	for _, state := range states {
		require.Equal(t, "credited", state)
	}
	require.Equal(t, "80", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"))
	moved := s.Engine.Clock(ferry.Test).Now().Sub(before)
	require.LessOrEqual(t, moved, deposits*(sandbox.FinalizedAfter+2)*sandbox.SlotTime, "no further than one after another")
}

func TestADepositIsWaitedForWhileTheChainDoesNotAnswer(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.primary_address")
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "chain", "kind": "unavailable", "count": 8}).OK()
	done := s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": 5}).OK()
	require.Equal(t, "credited", done.Text("data.status"))
}

func TestDepositRefusals(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/test_helpers/deposits", apitest.Object{}).Refuses("address", "Missing required field", "amount", "Missing required field")
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": "x", "amount": 0}).Refuses("amount", "The amount must be positive")
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": stranger, "amount": 1}).Fails(http.StatusNotFound, "address_not_found")
}

func TestFunding(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	naira := s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "NGN", "amount": "2500.50"}).OK()
	require.Equal(t, "NGN", naira.Text("data.currency"))
	require.Equal(t, "1002500.5", naira.Number("data.balance"))
	s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "USDC", "amount": 1}).Refuses("wallet", "Missing required field")
	s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "EUR", "amount": 1}).Refuses("currency", "Must be NGN or USDC")
	s.Post("/v1/test_helpers/fund", apitest.Object{}).Refuses("currency", "Missing required field", "amount", "Missing required field")
	s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "NGN", "amount": "1.001"}).Refuses("amount", "The amount has too many decimals")
	s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "USDC", "amount": 1, "wallet": "nothing"}).Fails(http.StatusNotFound, "wallet_not_found")
}

func TestFundingAWallet(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	id := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.id")
	funded := s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "USDC", "amount": 7, "wallet": id}).OK()
	require.Equal(t, "USDC", funded.Text("data.currency"))
	require.Equal(t, "7", funded.Number("data.balance"))
}

func TestABankCreditIsBookedOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	account := s.Tenant.Business.SourceAccounts[0].AccountNumber
	credit := apitest.Object{"account_number": account, "amount": 100, "session_id": "session-1", "narration": "Top-up\n\tof March"}
	for range 2 {
		noticed := s.Post("/v1/test_helpers/bank_credits", credit).OK()
		require.Equal(t, "session-1", noticed.Text("data.session_id"))
		require.Equal(t, "credited", noticed.Text("data.status"))
	}
	require.Equal(t, "1000100", s.Get("/v1/business/balance").OK().Number("data.0.available"))
	credit["account_number"] = "0000000000"
	s.Post("/v1/test_helpers/bank_credits", credit).Refuses("account_number", "No bank account has this number")
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	credit["account_number"] = other.Get("/v1/business").OK().Text("data.source_accounts.0.account_number")
	other.Post("/v1/test_helpers/bank_credits", credit).Refuses("session_id", "Names a credit to another account")
}

func TestABankCreditIsCreditedOnceItIsBooked(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	account := s.Tenant.Business.SourceAccounts[0].AccountNumber
	for i, kind := range []string{"unavailable", "withheld"} {
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": kind, "count": 2}).OK()
		noticed := s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account, "amount": 100}).OK()
		require.Equal(t, "credited", noticed.Text("data.status"))
		require.Equal(t, strconv.Itoa(1000100+100*i), s.Get("/v1/business/balance").OK().Number("data.0.available"))
	}
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": "unavailable", "count": 2}).OK()
	funded := s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "NGN", "amount": 1}).OK()
	require.Equal(t, "1000201", funded.Number("data.balance"))
}

func TestMoneyThatTheWorldHasNoRoomForIsRefused(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := funded(s, "treasury", "1")
	account := s.Tenant.Business.SourceAccounts[0].AccountNumber
	_, err := s.Engine.World.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: account, Amount: money.NGN(math.MaxInt64 - 1_000_000_00 - 1),
	})
	require.NoError(t, err)
	_, err = s.Engine.World.Deposit(t.Context(), sandbox.DepositParams{To: chain.Address(address), Amount: money.USDC(math.MaxInt64 - 1_000_000_000_000)})
	require.NoError(t, err)
	s.Settle()
	for path, body := range map[string]apitest.Object{
		"fund":         {"currency": "NGN", "amount": "0.02"},
		"bank_credits": {"account_number": account, "amount": "0.02"},
		"deposits":     {"address": address, "amount": 10_000_000},
	} {
		s.Post("/v1/test_helpers/"+path, body).Refuses("amount", "Is more than the sandbox can hold")
	}
	require.Equal(t, "92233720368547758.07", s.Post("/v1/test_helpers/fund", apitest.Object{"currency": "NGN", "amount": 0.01}).OK().Number("data.balance"))
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
}

func TestFaultsAreListedAndInjected(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	kinds := s.Get("/v1/test_helpers/faults").OK()
	require.Greater(t, kinds.Len("data"), 10)
	require.Equal(t, "chain", kinds.Text("data.0.target"))
	injected := s.Post("/v1/test_helpers/faults", apitest.Object{"target": "kyc", "kind": "unavailable"}).OK()
	require.Equal(t, "1", injected.Number("data.count"))
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "kyc", "kind": "boredom"}).Fails(http.StatusBadRequest, "validation_error")
	s.Post("/v1/test_helpers/faults", apitest.Object{"count": -1}).Refuses(
		"target", "Missing required field", "kind", "Missing required field", "count", "Must be at least 0")
}

func TestAnotherBusinessIsMade(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	once := s.With("Idempotency-Key", "tenant-1")
	made := once.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK()
	other := s.As(made.Text("data.secret_key")).Get("/v1/business").OK()
	require.Equal(t, made.Text("data.business_id"), other.Text("data.id"))
	require.Equal(t, "Bola's shop", other.Text("data.name"))
	require.Regexp(t, `^pk_test_`, made.Text("data.public_key"))
	require.Regexp(t, `^rwpk_test_`, made.Text("data.widget_key"))
	require.Regexp(t, `^whsec_test_`, made.Text("data.webhook_secret"))
	require.Equal(t, "whsec_"+made.Text("data.webhook_secret")[len("whsec_test_"):], made.Text("data.standard_webhook_secret"))
	again := once.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK()
	require.Equal(t, made.Text("data.business_id"), again.Text("data.business_id"))
	require.False(t, again.Has("data.secret_key"))
	s.Post("/v1/test_helpers/businesses", apitest.Object{}).Refuses("name", "Missing required field")
}

func TestWhileTheBankIsAwayNoBusinessIsMade(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	once := s.With("Idempotency-Key", "tenant-1")
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": "unavailable"}).OK()
	once.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).Fails(http.StatusServiceUnavailable, "provider_unavailable")

	made := once.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK()
	require.Equal(t, "Bola's shop", s.As(made.Text("data.secret_key")).Get("/v1/business").OK().Text("data.name"))
}

func TestTheClockIsMoved(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	require.Equal(t, "2026-03-02T09:15:00.000Z", s.Get("/v1/test_helpers/clock").OK().Text("data.now"))
	moved := s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 86400}).OK()
	require.Equal(t, "2026-03-03T09:15:00.000Z", moved.Text("data.now"))
	require.Equal(t, true, moved.At("data.done"))
	still := s.Post("/v1/test_helpers/drain", nil).OK()
	require.Equal(t, "2026-03-03T09:15:00.000Z", still.Text("data.now"))
	require.Equal(t, true, still.At("data.done"))
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": -1}).Refuses("seconds", "Must be 0 to 315360000")
	s.Post("/v1/test_helpers/clock/advance", nil).Refuses("seconds", "Missing required field")
}

func TestAnOTPThatWasNotSentIsNotFound(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Get("/v1/test_helpers/otp?number="+goodBVN).Fails(http.StatusNotFound, "not_found")
	s.Get("/v1/test_helpers/otp").Refuses("number", "Missing required field")
}

func TestAnAuditOfGoodBooksIsClean(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	s.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).OK()
	for range 2 {
		audit := s.Get("/v1/test_helpers/audit").OK()
		require.Equal(t, true, audit.At("data.clean"), "%s", audit.Raw)
		require.Equal(t, []any{}, audit.At("data.findings"))
		s.Advance(time.Minute)
	}
}
