package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/webhook"
)

// kindsOf are the types of all events of a sandbox, in their order.
func (p process) kindsOf(t *testing.T) (kinds []string) {
	t.Helper()
	printed, _, code := p.says(t, "events")
	require.Zero(t, code)
	for line := range strings.Lines(printed) {
		var event struct{ Type string }
		require.NoError(t, json.Unmarshal([]byte(line), &event))
		kinds = append(kinds, event.Type)
	}
	return kinds
}

func TestABusyShopHasSeenEveryEventAndIsTheSameEachTime(t *testing.T) {
	p, again := startDev(t, "--seed-data", "busy"), startDev(t, "--seed-data", "busy")
	kinds := p.kindsOf(t)
	for _, e := range httpapi.EventTypes() {
		if e.Name != webhook.TestType {
			require.Contains(t, kinds, e.Name)
		}
	}
	require.ElementsMatch(t, kinds, again.kindsOf(t))
	var audit struct{ Clean bool }
	p.data(t, http.MethodGet, "test_helpers/audit", "", &audit)
	require.True(t, audit.Clean)
	var order struct{ Status string }
	p.data(t, http.MethodGet, "payments?id=busy-under-way-1", "", &order)
	require.Equal(t, "pending", order.Status)
}

func TestAPressInTheInspectorLoadsABusyShop(t *testing.T) {
	p := startDev(t)
	press := func() int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.BaseURL+"/seed", nil)
		require.NoError(t, err)
		answer, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer.StatusCode
	}
	require.Equal(t, http.StatusSeeOther, press())
	require.Contains(t, p.kindsOf(t), "payment.success")
	require.Equal(t, http.StatusConflict, press(), "the shop is there already")
}

func TestABusyShopIsPutIntoANewStoreOnly(t *testing.T) {
	file := "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")
	p := startDev(t, "--store", file, "--seed-data", "busy")
	p.stop(t)
	_, stderr, code := p.says(t, "dev", "--store", file, "--seed-data", "busy", "--addr", "127.0.0.1:0")
	require.NotZero(t, code)
	require.Contains(t, stderr, "has a business already")
	_, stderr, code = p.says(t, "dev", "--seed-data", "quiet")
	require.NotZero(t, code)
	require.Contains(t, stderr, "must be busy")
}
