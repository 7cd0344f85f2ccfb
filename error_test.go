package ferry_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

var errGone = ferry.NewError(ferry.NotFound, "wallet_not_found", "Wallet not found")

func TestAnErrorIsItsSentinelAndItsKind(t *testing.T) {
	wrapped := fmt.Errorf("reading: %w", errGone.Saying("No such wallet").Because(io.EOF).About("id", "is unknown").After(time.Second))

	require.ErrorIs(t, wrapped, errGone)
	require.ErrorIs(t, wrapped, ferry.NotFound)
	require.ErrorIs(t, wrapped, io.EOF)
	require.NotErrorIs(t, wrapped, ferry.Conflict)
	require.NotErrorIs(t, wrapped, ferry.NewError(ferry.NotFound, "customer_not_found", "Wallet not found"))
}

func TestSentinelsOfOneCodeAreDistinct(t *testing.T) {
	noURL := ferry.NewError(ferry.Conflict, "invalid_state_transition", "No URL")
	lastKey := ferry.NewError(ferry.Conflict, "invalid_state_transition", "No URL")
	for _, err := range []error{noURL, noURL.Because(io.EOF), fmt.Errorf("x: %w", noURL.After(1)), errors.Join(io.EOF, noURL.About("a", "b"))} {
		require.ErrorIs(t, err, noURL)
		require.NotErrorIs(t, err, lastKey)
		require.NotErrorIs(t, err, lastKey.Saying("No URL"))
		require.Equal(t, "invalid_state_transition", ferry.CodeOf(err))
	}
}

func TestACopyIsWhatItWasMadeOfAndNoSibling(t *testing.T) {
	expired, usedUp := errGone.Saying("expired"), errGone.Saying("used up")
	require.ErrorIs(t, expired.Because(io.EOF), expired)
	require.ErrorIs(t, expired.Because(io.EOF), errGone)
	require.NotErrorIs(t, expired, usedUp)
	require.NotErrorIs(t, errGone, expired)
}

func TestAnErrorOfUnknownOriginHasNoCode(t *testing.T) {
	require.Equal(t, "wallet_not_found", ferry.CodeOf(fmt.Errorf("x: %w", errGone.Saying("x"))))
	require.Empty(t, ferry.CodeOf(io.EOF))
	require.Empty(t, ferry.CodeOf(nil))
}

func TestACopyOfAnErrorLeavesTheSentinelAlone(t *testing.T) {
	first := errGone.About("a", "1")
	second, third := first.About("b", "2"), first.About("c", "3")

	require.Equal(t, &ferry.Error{Kind: ferry.NotFound, Code: "wallet_not_found", Message: "Wallet not found"}, errGone)
	require.Equal(t, []ferry.Field{{Name: "a", Message: "1"}, {Name: "b", Message: "2"}}, second.Fields)
	require.Equal(t, []ferry.Field{{Name: "a", Message: "1"}, {Name: "c", Message: "3"}}, third.Fields)
	require.Equal(t, time.Minute, errGone.After(time.Minute).RetryAfter)
	require.Equal(t, "Other", errGone.Saying("Other").Message)
}

type shortage struct{ Available int }

func (s *shortage) Error() string { return fmt.Sprintf("only %d", s.Available) }

func TestTheCauseOfAnErrorIsFoundByItsType(t *testing.T) {
	err := fmt.Errorf("paying: %w", errGone.Because(fmt.Errorf("store: %w", &shortage{7})))

	var found *shortage
	require.ErrorAs(t, err, &found)
	require.Equal(t, 7, found.Available)
	var top *ferry.Error
	require.ErrorAs(t, err, &top)
	require.Equal(t, "wallet_not_found", top.Code)
}

func TestAnErrorTellsTheLogEverything(t *testing.T) {
	err := errGone.About("id", "is unknown").Because(io.EOF)
	require.EqualError(t, err, "wallet_not_found: Wallet not found; id: is unknown: EOF")
}

func TestOnlyWhatMayPassIsRetryable(t *testing.T) {
	for kind := ferry.Internal; kind <= ferry.Unavailable; kind++ {
		want := kind == ferry.RateLimited || kind == ferry.Unavailable
		require.Equal(t, want, ferry.NewError(kind, "x", "x").Retryable(), kind)
	}
}

func TestAnErrorOfUnknownOriginIsInternal(t *testing.T) {
	require.Equal(t, ferry.NotFound, ferry.KindOf(fmt.Errorf("x: %w", errGone)))
	require.Equal(t, ferry.Internal, ferry.KindOf(io.EOF))
	require.Equal(t, ferry.Internal, ferry.KindOf(nil))
}

func TestEveryKindHasAName(t *testing.T) {
	seen := map[string]bool{}
	for kind := ferry.Internal; kind <= ferry.Unavailable; kind++ {
		require.NotContains(t, kind.Error(), "kind ")
		require.False(t, seen[kind.Error()])
		seen[kind.Error()] = true
	}
	require.Equal(t, "kind 200", ferry.Kind(200).Error())
}

func TestProblemsNameEveryRefusedField(t *testing.T) {
	var p ferry.Problems
	require.NoError(t, p.Err())

	p.Add("email", "Invalid email format")
	p.Add("name", "Is required")
	err := p.Err()
	p.Add("phone", "Is required")

	require.ErrorIs(t, err, ferry.ErrValidation)
	require.ErrorIs(t, err, ferry.Invalid)
	refused, ok := errors.AsType[*ferry.Error](err)
	require.True(t, ok)
	require.Equal(t, []ferry.Field{{Name: "email", Message: "Invalid email format"}, {Name: "name", Message: "Is required"}}, refused.Fields)
	require.Empty(t, ferry.ErrValidation.Fields)
}

func TestTheFirstTwentyRefusedFieldsAreNamedAndLongNamesAreCut(t *testing.T) {
	var p ferry.Problems
	long := strings.Repeat("é", 101)
	for range 21 {
		p.Add(long, "is unknown")
	}
	var err *ferry.Error
	require.ErrorAs(t, p.Err(), &err)
	require.Len(t, err.Fields, ferry.MaxProblems)
	require.Len(t, err.About("more", "is unknown").Fields, ferry.MaxProblems)
	require.Equal(t, strings.Repeat("é", 98)+"…", err.Fields[0].Name)
	require.Equal(t, err.Fields[0].Name, errGone.About(long, "is unknown").Fields[0].Name)
	require.Equal(t, long[:200], errGone.About(long[:200], "is unknown").Fields[0].Name)
}
