package customers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

// The table of docs/api.md, "Customer status", cell by cell.
func TestTheLifecycleOfACustomerIsTheTable(t *testing.T) {
	const (
		pending, verified, rejected            = customers.PendingVerification, customers.Verified, customers.Rejected
		accepted, refused, retried, unanswered = customers.Accepted, customers.Refused, customers.Retried, customers.Unanswered
		told, failed                           = "customer.verified", "customer.verification_failed"
		none                                   = customers.Status("")
	)
	type move struct {
		to    customers.Status
		event string
	}
	table := map[customers.Status]map[customers.Cause]move{
		pending:  {accepted: {verified, told}, refused: {rejected, failed}, retried: {pending, ""}, unanswered: {pending, failed}},
		rejected: {accepted: {none, ""}, refused: {none, ""}, retried: {pending, ""}, unanswered: {rejected, failed}},
		verified: {accepted: {none, ""}, refused: {none, ""}, retried: {none, ""}, unanswered: {none, ""}},
	}
	require.Equal(t, pending, customers.Lifecycle.Initial)
	edges := 0
	for from, causes := range table {
		for cause, want := range causes {
			edge, err := customers.Lifecycle.Next(from, cause)
			if want.to == none {
				require.ErrorIs(t, err, ferry.ErrInvalidTransition, "%s by %s", from, cause)
				continue
			}
			edges++
			require.NoError(t, err, "%s by %s", from, cause)
			require.Equal(t, want, move{edge.To, edge.Event}, "%s by %s", from, cause)
		}
	}
	require.Len(t, customers.Lifecycle.Edges, edges)
	require.True(t, customers.Lifecycle.Final(verified))
	require.False(t, customers.Lifecycle.Final(rejected))
}

func TestTheLifecycleOfAnIdentity(t *testing.T) {
	const (
		requested, sent, verified, rejected = customers.IdentityRequested, customers.IdentitySent, customers.IdentityVerified, customers.IdentityRejected
		otpSent, accepted, refused          = customers.IdentityOTPSent, customers.IdentityAccepted, customers.IdentityRefused
	)
	table := map[customers.IdentityStatus]map[customers.IdentityCause]customers.IdentityStatus{
		requested: {otpSent: sent, accepted: verified, refused: rejected},
		sent:      {otpSent: "", accepted: verified, refused: sent},
		verified:  {otpSent: "", accepted: "", refused: ""},
		rejected:  {otpSent: "", accepted: "", refused: ""},
	}
	for from, causes := range table {
		for cause, want := range causes {
			edge, err := customers.IdentityLifecycle.Next(from, cause)
			require.Equal(t, want == "", err != nil, "%s by %s", from, cause)
			require.Equal(t, want, edge.To, "%s by %s", from, cause)
		}
	}
	require.Equal(t, requested, customers.IdentityLifecycle.Initial)
}
