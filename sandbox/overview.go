package sandbox

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
)

// overviewMost is the greatest length of each list of an Overview.
const overviewMost = 100

// Overview is what the simulated bank and chain have at one moment. Each list has at most 100
// elements.
type Overview struct {
	// Accounts are those that the bank has opened, by number.
	Accounts []bank.Account
	// Payments are those whose outcome is open, by key.
	Payments []OpenPayment
	// Slot and Height are the newest of the chain, and Finalized is the height that is final.
	Slot, Height, Finalized uint64
	// Transactions wait for a block, or landed not long ago: the newest first.
	Transactions []RecentTransaction
	// Holders are the owners that have received USDC, by address.
	Holders []Holder
}

// OpenPayment is a payment that the bank has accepted and neither made nor refused.
type OpenPayment struct {
	Reference string
	To        bank.Party
	Amount    money.Amount
	Since     time.Time
}

// RecentTransaction is a transaction of the simulated chain.
type RecentTransaction struct {
	Signature chain.Signature
	// From is the first owner that pays; empty when the tokens come from outside.
	From, To chain.Address
	Mint     string
	// Amount is the sum in USDC; zero for another token.
	Amount money.Amount
	// Status is not Found while the transaction waits for a block.
	Status chain.Status
	// Above is the number of blocks above its block. FinalizedAfter make it final.
	Above uint64
}

// Holder is an owner with the USDC that it has, in whatever commitment.
type Holder struct {
	Address chain.Address
	Amount  money.Amount
}

// Look returns what the bank and the chain have now. It hits no armed fault.
func (w *World) Look(ctx context.Context) (Overview, error) {
	return answered(ctx, w.read, func(m *moment) (o Overview, err error) {
		t, err := m.tip()
		if err != nil {
			return o, err
		}
		o.Slot, o.Height = t.slot, t.height(t.slot)
		o.Finalized = t.finalized(t.slot)
		var failed [4]error
		o.Accounts, failed[0] = m.openedAccounts()
		o.Payments, failed[1] = m.openPayments()
		o.Transactions, failed[2] = t.recent()
		o.Holders, failed[3] = t.holders()
		return o, errors.Join(failed[:]...)
	})
}

func (m *moment) openedAccounts() (all []bank.Account, err error) {
	found, err := scan[bank.Account](m, accountPrefix, "", overviewMost)
	for _, f := range found {
		all = append(all, f.doc)
	}
	return all, err
}

func (m *moment) openPayments() (all []OpenPayment, err error) {
	if err := m.settlePayments(); err != nil {
		return nil, err
	}
	keys, err := scan[string](m, openPrefix, "", overviewMost)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		var p payment
		if _, err := load(m, paymentKey(key.doc), &p); err != nil {
			return nil, err
		}
		all = append(all, OpenPayment{p.Reference, p.To, money.NGN(p.Kobo), p.At})
	}
	return all, nil
}

// recent are the transactions that wait, and those of the newest movements and failures.
func (t *tip) recent() (all []RecentTransaction, err error) {
	signatures, err := t.recentSignatures()
	if err != nil {
		return nil, err
	}
	for _, signature := range signatures {
		var tx transaction
		found, err := load(t, transactionKey(signature), &tx)
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, t.seen(tx))
		}
	}
	slot := func(r RecentTransaction) uint64 {
		if !r.Status.Found {
			return math.MaxUint64 // its block is still to come
		}
		return r.Status.Slot
	}
	slices.SortFunc(all, func(a, b RecentTransaction) int {
		return cmp.Or(cmp.Compare(slot(b), slot(a)), cmp.Compare(a.Signature, b.Signature))
	})
	return all[:min(len(all), overviewMost)], nil
}

// recentSignatures are those of transactions that are due, of the newest that were sent, and of the
// newest movements.
func (t *tip) recentSignatures() (all []chain.Signature, err error) {
	add := func(s chain.Signature) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	due, err := t.Scan(duePrefix, "", overviewMost)
	if err != nil {
		return nil, err
	}
	for _, doc := range due {
		if len(doc.Data) == 0 {
			continue // a tick
		}
		var signature chain.Signature
		if err := decode(doc.Key, doc.Data, &signature); err != nil {
			return nil, err
		}
		add(signature)
	}
	sent, err := scan[chain.Signature](t, sentPrefix, ordered(t.Seq-min(t.Seq, overviewMost)), overviewMost)
	if err != nil {
		return nil, err
	}
	for _, s := range sent {
		add(s.doc)
	}
	moved, err := t.movedLately()
	for _, s := range moved {
		add(s)
	}
	return all, err
}

// movedLately are the signatures of the newest movements at the addresses that moved last.
func (t *tip) movedLately() (all []chain.Signature, err error) {
	listed, err := scan[active](t, activityPrefix, ordered(t.Moved-min(t.Moved, overviewMost)), overviewMost)
	if err != nil {
		return nil, err
	}
	owners := map[chain.Address]uint64{} // how many of the newest movements are theirs
	for _, l := range listed {
		owners[l.doc.Owner]++
	}
	for owner, count := range owners {
		var a account
		if _, err := load(t, accountOf(owner), &a); err != nil {
			return nil, err
		}
		rows, err := scan[row](t, historyOf(owner), ordered(a.Rows-count), overviewMost)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			all = append(all, r.doc.Signature)
		}
	}
	return all, nil
}

// seen is a transaction as it stands at the tip.
func (t *tip) seen(tx transaction) RecentTransaction {
	r := RecentTransaction{
		Signature: tx.Signature, To: tx.To, Mint: tx.Mint, Amount: money.USDC(0), Status: t.status(tx, t.slot),
	}
	sum := int64(0)
	for _, s := range tx.Sources {
		sum += s.Amount
	}
	if len(tx.Sources) > 0 && !tx.Issued {
		r.From = tx.Sources[0].Owner
	}
	if tx.Mint == USDCMint {
		r.Amount = money.USDC(sum)
	}
	if r.Status.Found {
		r.Above = t.height(t.slot) - t.height(r.Status.Slot)
	}
	return r
}

func (t *tip) holders() (all []Holder, err error) {
	docs, err := t.Scan(accountsPrefix, "", overviewMost)
	for _, doc := range docs {
		var a account
		if err := decode(doc.Key, doc.Data, &a); err != nil {
			return nil, err
		}
		if a.opened(USDCMint) {
			all = append(all, Holder{chain.Address(doc.Key[len(accountsPrefix):]), money.USDC(a.Balances[USDCMint])})
		}
	}
	return all, err
}
