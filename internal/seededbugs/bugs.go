package seededbugs

// Bug is a mistake that loses money, or tells something that is not true.
type Bug struct {
	Name, What string
	// Edits make it: each text stands in its file exactly once.
	Edits []Edit
}

// Edit replaces a text of a file.
type Edit struct{ File, Old, New string }

// All returns the bugs, in the order of their names.
func All() []Bug {
	return []Bug{
		{"B01", "a transfer is signed again when the node does not answer", []Edit{{"wallets/outgoing/follow.go",
			"	case !answered:\n		return errLater\n",
			"	case !answered:\n		if err := s.expire(ctx, j); err != nil {\n			return err\n		}\n" +
				"		next, err := s.reload(ctx, j)\n		if err != nil {\n			return err\n		}\n		return s.attempt(ctx, next)\n",
		}}},
		{"B02", "a transfer is signed again when one node does not know its signature", []Edit{{"wallets/outgoing/follow.go",
			"	case j.live.outlived(status.height, s.config.Margin):", "	case !status.Found:",
		}}},
		{"B03", "a payment is sent to the chain before it is recorded", []Edit{
			{"wallets/outgoing/sign.go", "	if err != nil || a == nil {\n		return err\n	}\n", "	if err != nil || a == nil {\n		return err\n	}\n	s.sendFirst(ctx, j, *a)\n"},
			{"wallets/outgoing/send.go", "	r.signed, err = r.service.sign(ctx, *r.job)\n",
				"	if r.signed, err = r.service.sign(ctx, *r.job); r.signed != nil {\n		r.service.sendFirst(ctx, *r.job, *r.signed)\n	}\n"},
		}},
		{"B04", "nothing makes two equal payments on one blockhash different", []Edit{{"wallets/outgoing/plan.go",
			"memo.Unique(t.Memo, unique)", "t.Memo + unique[:0]",
		}, {"wallets/outgoing/sign.go",
			"	if err := AttemptKind.Insert(ctx, tx, a); err != nil {\n		return err\n	}\n",
			"	if _, err := AttemptBy(ctx, tx, a.Scope.Env, a.Signature); err == nil && t.Kind != Treasury {\n" +
				"		return s.settleTransfer(ctx, tx, t, t.Amount) // the chain knows its signature\n	}\n" +
				"	if err := AttemptKind.Insert(ctx, tx, a); err != nil {\n		return err\n	}\n",
		}}},
		{"B05", "a request is answered although its unit did not commit", []Edit{{"engine/nudge.go",
			"			return body(ctx, &ports)\n		})\n	})\n",
			"			err := body(ctx, &ports)\n			done = err == nil\n			return err\n		})\n	})\n	if done {\n		err = nil\n	}\n",
		}, {"engine/nudge.go", "	var ports watchedPorts // of the run that commits\n", "	var ports watchedPorts // of the run that commits\n	var done bool\n"}}},
		{"B06", "an event is written by another unit than what it tells of", []Edit{
			{"webhook/event.go", "	if err := tx.Outbox().Insert(ctx, e); err != nil || state != Pending {",
				"	late = append(late, e)\n	if len(late) == 1 {\n		return e.ID, nil\n	}\n	e, late = late[0], late[1:]\n" +
					"	if err := tx.Outbox().Insert(ctx, e); err != nil || state != Pending {"},
			{"webhook/event.go", "// firstState returns", "var late []Event\n\n// firstState returns"},
		}},
		{"B07", "what was set aside is released when the bank does not answer", []Edit{{"disburse/answer.go",
			"	case UnknownSession, TooMuch, UnknownKey, Declined:", "	case UnknownSession, TooMuch, UnknownKey, Declined, Unavailable:",
		}}},
		{"B08", "what was set aside for a transfer is released twice", []Edit{
			{"payouts/transfers/send.go", "	t.named(o)\n	if err := ledger.Release(ctx, tx.Ledger(), t.reservation()); err != nil {\n		return t, err\n	}\n",
				"	t.named(o)\n	for range 2 {\n		if err := ledger.Release(ctx, tx.Ledger(), t.reservation()); err != nil {\n			return t, err\n		}\n	}\n"},
			{"memstore/ledger.go", "	if was := reservationStates[r.state]; was != ledger.Open {\n		return fmt", "	if was := reservationStates[r.state]; was == ledger.Settled {\n		return fmt"},
		}},
		{"B09", "a deposit is credited although its block is not final and its fork is dropped", []Edit{
			{"sandbox/transaction.go", "	if err := save(t, tx.key(), tx); err != nil || fate == ForkDropped {\n		return err\n	}\n",
				"	if err := save(t, tx.key(), tx); err != nil {\n		return err\n	}\n	if fate == ForkDropped {\n		return t.listed(tx)\n	}\n"},
			{"sandbox/transaction.go", "func (t *tip) tickFork(",
				"func (t *tip) listed(tx transaction) error {\n	if !tx.Issued {\n		return nil\n	}\n	var a account\n	if _, err := load(t, accountOf(tx.To), &a); err != nil {\n" +
					"		return err\n	}\n	tx.Slot, tx.Height = t.slot, t.height(t.slot)\n	s := sheet{tip: t, mint: tx.Mint}\n" +
					"	if err := s.record(tx.To, &a, tx, tx.Sources[0].Amount); err != nil {\n		return err\n	}\n	return save(t, accountOf(tx.To), a)\n}\n\nfunc (t *tip) tickFork("},
		}},
		{"B10", "a worker that lost its claim goes on", []Edit{{"memstore/leases.go",
			"	if !w.leased() || w.fence != c.Fence {\n", "	if w.round == 0 {\n",
		}}},
		{"B11", "a key is looked up before the unit that uses it, and not in it", []Edit{
			{"operation/run.go", "	var refusal error\n", "	if r.claim != nil {\n		if known, ok, err := r.known(ctx); err != nil || ok {\n			return known, false, err\n		}\n	}\n	var refusal error\n"},
			{"operation/key.go", "	return idempotency.RecordKind.Insert(ctx, r.keys(tx), made)\n",
				"	if _, err := r.claim.stored(ctx, r.keys(tx)); err == nil {\n		return nil\n	}\n	return idempotency.RecordKind.Insert(ctx, r.keys(tx), made)\n"},
			{"operation/key.go", "		return idempotency.Claim(ctx, keys, r.since, r.claim.Clock.Now(), claimed)\n",
				"		if _, err := r.claim.stored(ctx, keys); err == nil {\n			return nil\n		}\n		return idempotency.Claim(ctx, keys, r.since, r.claim.Clock.Now(), claimed)\n"},
		}},
		{"B12", "what can still be refunded is what was read before the refund that is made beside it", []Edit{
			{"refunds/create.go", "	left := line.Refundable()\n",
				"	left := line.Refundable()\n	if was, known := before[line.ID]; known {\n		left, before[line.ID] = was, left\n	} else {\n		before[line.ID] = left\n	}\n"},
			{"refunds/create.go", "// describe returns the row of a refund.\n", "var before = map[statement.ID]money.Amount{}\n\n// describe returns the row of a refund.\n"},
		}},
	}
}
