package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnOperatorListsAndReturnsWhatOfframpsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	alarmed(t, file)
	require.JSONEq(t, `{"kept": []}`, mustRun(t, "ramp", "kept", "--store", "sqlite:"+file))
	_, stderr, code := ferryCommand(t, "ramp", "return", "odp_none", "--to", "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU",
		"--by", "Ada", "--reason", "the payer wrote", "--store", "sqlite:"+file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "Deposit not found")
	_, stderr, code = ferryCommand(t, "ramp", "return", "odp_none", "--store", "sqlite:"+file)
	require.NotZero(t, code)
	require.Contains(t, stderr, "--to")
}

func TestAnOperatorSeesFromWhereOnrampsAreSent(t *testing.T) {
	site := newSite(t)
	printed := mustRun(t, "ramp", "inventory", "--config", site.config)
	require.Regexp(t, `"environment": "test",\s+"address": "\w{32,44}",\s+"balance": "0 USDC"`, printed)
	require.NotContains(t, printed, "live", "no chain is there")
	require.Equal(t, printed, mustRun(t, "ramp", "inventory", "--config", site.config))
}
