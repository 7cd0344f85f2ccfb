package sandbox

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/mr-tron/base58"
)

// USDCMint is the mint of the chain's USDC.
const USDCMint = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"

// account is the document of one owner's tokens.
type account struct {
	// Balances are by mint, in millionths.
	Balances map[string]int64
	// Rows counts the rows of history. Recent are the last rows of the heights
	// that may not be final yet, and Old is the last row before them.
	Rows, Old uint64
	Recent    []place
}

type place struct{ Height, Row uint64 }

// recentHeights is how far the heights of Recent may be apart.
const recentHeights = 2 * FinalizedAfter

// note remembers a new row of history and its height.
func (a *account) note(height uint64) {
	a.Rows++
	if last := len(a.Recent) - 1; last >= 0 && a.Recent[last].Height == height {
		a.Recent[last].Row = a.Rows
		return
	}
	for len(a.Recent) > 0 && a.Recent[0].Height+recentHeights < height {
		a.Old, a.Recent = a.Recent[0].Row, a.Recent[1:]
	}
	a.Recent = append(a.Recent, place{height, a.Rows})
}

// finalRow is the newest row that is final at a height.
func (a account) finalRow(finalized uint64) uint64 {
	for _, p := range slices.Backward(a.Recent) {
		if p.Height <= finalized {
			return p.Row
		}
	}
	return a.Old
}

const accountsPrefix = "chain/account/"

func accountOf(owner chain.Address) string     { return accountsPrefix + string(owner) }
func historyOf(owner chain.Address) string     { return "chain/history/" + string(owner) + "/" }
func tokenKey(account chain.Address) string    { return "chain/token/" + string(account) }
func supplyKey(mint string) string             { return "chain/supply/" + mint }
func (a account) opened(mint string) (ok bool) { _, ok = a.Balances[mint]; return ok }

// token is the document of a token account.
type token struct {
	Owner chain.Address
	Mint  string
}

// row is the document of one movement in the history of an owner.
type row struct {
	Signature    chain.Signature
	Slot, Height uint64
	Mint         string
	Delta        int64
	Counterparty chain.Address
}

// TokenAccount is the address of an owner's token account for a mint. Nobody can
// sign for it, and it can be sent to once the owner received that token.
func TokenAccount(owner, mint chain.Address) chain.Address {
	for bump := byte(255); ; bump-- {
		sum := sha256.Sum256(append([]byte("token account\x00"+string(owner+"\x00"+mint+"\x00")), bump))
		if a := chain.Address(base58.Encode(sum[:])); !a.OnCurve() {
			return a
		}
	}
}

// apply moves what a transaction moves, and returns the program's error when it
// cannot: then nothing moved.
func (t *tip) apply(tx transaction) (flaw string, err error) {
	if tx.To == "" {
		return errNoAccount, nil
	}
	s := sheet{tip: t, mint: tx.Mint, accounts: map[chain.Address]account{}, deltas: map[chain.Address]int64{}}
	for _, from := range tx.Sources {
		if flaw, err = s.move(from, tx.To, tx.Issued); flaw != "" || err != nil {
			return flaw, err
		}
	}
	if flaw, err = s.issue(); flaw != "" || err != nil {
		return flaw, err
	}
	return "", s.write(tx)
}

// sheet is the accounts that one transaction touches.
type sheet struct {
	*tip
	mint     string
	accounts map[chain.Address]account
	deltas   map[chain.Address]int64
	order    []chain.Address
	issued   int64
}

func (s *sheet) account(owner chain.Address) (account, error) {
	if a, ok := s.accounts[owner]; ok {
		return a, nil
	}
	var a account
	if _, err := load(s, accountOf(owner), &a); err != nil {
		return a, err
	}
	if a.Balances == nil {
		a.Balances = map[string]int64{}
	}
	s.accounts[owner], s.order = a, append(s.order, owner)
	return a, nil
}

// move takes a sum from one owner, or from outside, to another.
func (s *sheet) move(from source, to chain.Address, issued bool) (flaw string, err error) {
	source, err := s.account(from.Owner)
	if err != nil {
		return "", err
	}
	if issued {
		s.issued += from.Amount
	} else if source.Balances[s.mint] < from.Amount {
		return errInsufficient, nil
	} else {
		source.Balances[s.mint] -= from.Amount
		s.deltas[from.Owner] -= from.Amount
	}
	target, err := s.account(to)
	if err != nil {
		return "", err
	}
	target.Balances[s.mint] += from.Amount
	s.deltas[to] += from.Amount
	return "", nil
}

// write saves the accounts, opens token accounts and appends to histories.
func (s *sheet) write(tx transaction) error {
	for _, owner := range s.order {
		a := s.accounts[owner]
		if !a.opened(s.mint) {
			continue // the outside sender of what was issued
		}
		if delta := s.deltas[owner]; delta != 0 {
			if err := s.record(owner, &a, tx, delta); err != nil {
				return err
			}
		}
		if err := save(s, accountOf(owner), a); err != nil {
			return err
		}
		if err := save(s, tokenKey(TokenAccount(owner, chain.Address(s.mint))), token{owner, s.mint}); err != nil {
			return err
		}
	}
	return nil
}

// issue adds what came from outside to the supply of the mint.
func (s *sheet) issue() (flaw string, err error) {
	supply, err := s.supply(s.mint)
	if err != nil || s.issued == 0 {
		return "", err
	}
	if s.issued > maxSupply-supply {
		return errOverflow, nil
	}
	return "", save(s, supplyKey(s.mint), supply+s.issued)
}

// record appends a row to an owner's history, and to the list of activity.
func (s *sheet) record(owner chain.Address, a *account, tx transaction, delta int64) error {
	a.note(tx.Height)
	if err := s.recordActivity(owner, tx); err != nil {
		return err
	}
	return save(s, historyOf(owner)+ordered(a.Rows), row{
		tx.Signature, tx.Slot, tx.Height, tx.Mint, delta, tx.counterparty(owner),
	})
}

// movement is the row in the form of the port.
func (t *tip) movement(r row, cursor chain.Cursor) (chain.Movement, error) {
	var tx transaction
	if _, err := load(t, transactionKey(r.Signature), &tx); err != nil {
		return chain.Movement{}, err
	}
	m := chain.Movement{
		Signature: r.Signature, Slot: r.Slot, Mint: r.Mint, Supported: r.Mint == USDCMint,
		Delta: money.USDC(0), Counterparty: r.Counterparty, Own: !tx.Issued, Memo: tx.Memo,
		At: t.timeOf(r.Slot), Cursor: cursor,
	}
	if m.Supported {
		m.Delta = money.USDC(r.Delta)
	}
	return m, nil
}

// maxSupply is the most there can be of a mint, so that no balance overflows.
const maxSupply = math.MaxInt64

func (t *tip) supply(mint string) (supply int64, err error) {
	_, err = load(t, supplyKey(mint), &supply)
	return supply, err
}

// room refuses an amount that the supply of a mint has no room for.
func (t *tip) room(mint string, amount int64) error {
	supply, err := t.supply(mint)
	if err == nil && amount > maxSupply-supply {
		err = fmt.Errorf("%w: the supply of %s is %d", ErrAmount, mint, supply)
	}
	return err
}
