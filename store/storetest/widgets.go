package storetest

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/widgets"
)

var _ = caseOf(kindCase[ramp.TransactionID, ramp.Transaction]{
	kind: ramp.TransactionKind,
	row: func(scope ferry.Scope, n int) ramp.Transaction {
		return ramp.Transaction{
			ID: ramp.TransactionID(idOf("onr_", n)), Scope: scope, Side: ramp.Onramp, Reference: "topup", Visit: ramp.Visit{Widget: "rwdg_1", Session: "rses_1"},
			Status: ramp.Pending, Stage: ramp.AwaitingFunds, Fiat: money.NGN(1500), Crypto: money.USDC(7), CreatedAt: after(n), UpdatedAt: after(n),
		}
	},
	change: func(t *ramp.Transaction) { t.Status, t.Stage, t.UpdatedAt = ramp.Successful, ramp.Done, time.Time{} },
	vary: func(t *ramp.Transaction, n int) {
		t.Side = []ramp.Side{ramp.Onramp, ramp.Offramp}[n%2]
		t.Status = []ramp.Status{ramp.Pending, ramp.Successful, ramp.Failed}[n%3]
		if n%2 == 0 {
			t.Visit = ramp.Visit{}
		}
	},
})

var _ = caseOf(kindCase[ramp.VolumeID, ramp.Volume]{
	kind: ramp.VolumeKind,
	row: func(scope ferry.Scope, n int) ramp.Volume {
		return ramp.Volume{ID: ramp.VolumeID(idOf("rwdg_1/onramp", n)), Scope: scope, Fiat: money.NGN(3), Crypto: money.USDC(2)}
	},
	change: func(v *ramp.Volume) { v.Fiat, v.Crypto = money.NGN(5), money.USDC(4) },
})

var _ = caseOf(kindCase[widgets.ID, widgets.Widget]{
	kind: widgets.WidgetKind,
	row: func(scope ferry.Scope, n int) widgets.Widget {
		return widgets.Widget{
			ID: widgets.ID(idOf(widgets.Prefix, n)), Scope: scope, Name: "Till", Key: business.KeyID(idOf("key_", n)),
			Domains: []string{"https://shop.example.com"}, Sides: []ramp.Side{ramp.Onramp}, Theme: widgets.Theme{Mode: widgets.Dark, Color: "#102030"},
			Destination: "A1", Status: widgets.Active, CreatedAt: after(n), UpdatedAt: after(n),
		}
	},
	change: func(w *widgets.Widget) {
		w.Name, w.Domains, w.Sides, w.Theme, w.Destination = "Other", nil, nil, widgets.Theme{}, ""
		w.Status, w.UpdatedAt = widgets.Disabled, time.Time{}
	},
	vary: func(w *widgets.Widget, n int) {
		if n%2 == 0 {
			w.Status = widgets.Disabled
		}
	},
})

var _ = caseOf(kindCase[widgets.SessionID, widgets.Session]{
	kind: widgets.SessionKind,
	row: func(scope ferry.Scope, n int) widgets.Session {
		return widgets.Session{
			ID: widgets.SessionID(idOf(widgets.SessionPrefix, n)), Scope: scope, Widget: "rwdg_1", Origin: "https://shop.example.com",
			Digest: idOf("digest-", n), Key: "key_1", Visit: "rses_1", Began: after(n - 1), ExpiresAt: after(n + 1), CreatedAt: after(n),
		}
	},
	change: func(*widgets.Session) {},
})
