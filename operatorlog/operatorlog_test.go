package operatorlog_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/store"
)

func TestAnEntrySaysWhoAndWhatAndAnActionAlsoWhy(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	shop := ferry.Scope{Env: ferry.Test, Business: "biz_1"}
	for name, c := range map[string]struct {
		entry  operatorlog.Entry
		wanted string
	}{
		"without a name":                {operatorlog.Entry{Act: operatorlog.Read, Subject: "cus_1"}, "by"},
		"of nothing":                    {operatorlog.Entry{Act: operatorlog.Read, By: "ada"}, "subject"},
		"a resend without a reason":     {operatorlog.Entry{Act: operatorlog.Resend, By: "ada", Subject: "evt_1"}, "reason"},
		"a replay with an empty reason": {operatorlog.Entry{Act: operatorlog.Replay, By: "ada", Subject: "evt_1", Reason: "  "}, "reason"},
		"a reason without an end":       {operatorlog.Entry{Act: operatorlog.Resend, By: "ada", Subject: "evt_1", Reason: strings.Repeat("x", 501)}, "reason"},
		"a read":                        {operatorlog.Entry{Act: operatorlog.Read, By: "ada", Subject: "cus_1"}, ""},
		"a resend":                      {operatorlog.Entry{Act: operatorlog.Resend, By: "ada", Subject: "evt_1", Reason: "lost"}, ""},
	} {
		c.entry.Scope = shop
		err := e.Units(shop.Env).Write(t.Context(), func(ctx context.Context, tx store.Tx) error { return operatorlog.Note(ctx, tx, c.entry) })
		if c.wanted == "" {
			require.NoError(t, err, name)
			continue
		}
		refused, is := errors.AsType[*ferry.Error](err)
		require.True(t, is, name)
		require.Len(t, refused.Fields, 1, name)
		require.Equal(t, c.wanted, refused.Fields[0].Name, name)
	}
}
