package storetest

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/operatorlog"
)

var _ = caseOf(kindCase[operatorlog.ID, operatorlog.Entry]{
	kind: operatorlog.Kind,
	row: func(scope ferry.Scope, n int) operatorlog.Entry {
		return operatorlog.Entry{
			ID: operatorlog.ID(idOf(operatorlog.Prefix, n)), Scope: scope, By: "ada", Act: operatorlog.Resend, Subject: "evt_1",
			Reason: "Ticket 7", CreatedAt: after(n),
		}
	},
	change: func(*operatorlog.Entry) {},
	vary: func(e *operatorlog.Entry, n int) {
		e.Act = []operatorlog.Act{operatorlog.Read, operatorlog.Resend, operatorlog.Replay}[n%3]
	},
})
