package solana

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sol "github.com/gagliardetto/solana-go"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// History reads the lists of the token accounts of an address: that for USDC, and those for the
// other watched mints. Evidence is the balances before and after in a finalized transaction
// without an error, never what a log or a memo says.
func (c *Chain) History(ctx context.Context, address chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
	owner, err := ownerOf(address)
	if err != nil {
		return nil, err
	}
	r := reading{Chain: c, owner: owner}
	if r.places, err = c.placesOf(owner, after); err != nil {
		return nil, err
	}
	for _, at := range r.places {
		list, err := c.follow(ctx, at)
		if err != nil {
			return nil, err
		}
		r.lists = append(r.lists, list)
	}
	return r.movements(ctx, limit)
}

// placesOf reads a cursor: the signature up to which each list was read, in the order of the
// mints. A mint that was added later has none.
func (c *Chain) placesOf(owner sol.PublicKey, cursor chain.Cursor) ([]place, error) {
	places := make([]place, len(c.mints))
	for i, mint := range c.mints {
		places[i].account = accountsOf([]sol.PublicKey{owner}, mint)[0]
	}
	if cursor == "" {
		return places, nil
	}
	for i, text := range strings.Split(string(cursor), ".") {
		if text == "" {
			continue
		}
		signature, err := sol.SignatureFromBase58(text)
		if err != nil || i >= len(places) {
			return nil, fmt.Errorf("solana: %q is no cursor of a history of %d mints", cursor, len(places))
		}
		places[i].signature = signature
	}
	return places, nil
}

// cursorOf is the cursor of some places.
func cursorOf(places []place) chain.Cursor {
	texts := make([]string, len(places))
	for i, p := range places {
		if !p.signature.IsZero() {
			texts[i] = p.signature.String()
		}
	}
	return chain.Cursor(strings.TrimRight(strings.Join(texts, "."), "."))
}

// reading is the lists of an address, one a mint, of which the first entries are read.
type reading struct {
	*Chain
	owner  sol.PublicKey
	places []place
	lists  [][]listed
}

// movements reads entries until there are enough movements, and notes how far it came. A page that
// an error cuts short is none, because a short page is the end of a history.
func (r *reading) movements(ctx context.Context, limit int) ([]chain.Movement, error) {
	var moves []chain.Movement
	saved, read := slices.Clone(r.places), slices.Clone(r.places)
	for len(moves) < limit {
		was, lists := slices.Clone(read), slices.Clone(r.lists)
		entry, in := r.next(read)
		if in == nil {
			break
		}
		if entry.failed {
			continue
		}
		l, err := r.landing(ctx, entry.signature)
		if err != nil {
			if len(moves) == 0 { // else the places are those of movements that nobody gets
				r.lists = lists
				r.noteAll(saved, was)
			}
			return nil, err
		}
		m, moved := r.movement(l)
		if !moved {
			continue
		}
		for _, i := range in {
			saved[i].signature = entry.signature
		}
		m.Cursor = cursorOf(saved)
		moves = append(moves, m)
	}
	r.noteAll(saved, read)
	return moves, nil
}

// noteAll remembers how far each list was read beyond the places that are saved.
func (r *reading) noteAll(saved, read []place) {
	for i, at := range saved {
		r.note(at, read[i].signature, r.lists[i])
	}
}

// next takes the oldest entry off the lists, and says in which it stood. Entries of one slot are
// in the order of their lists.
func (r *reading) next(read []place) (entry listed, in []int) {
	for i, list := range r.lists {
		if len(list) > 0 && (in == nil || list[0].slot < entry.slot) {
			entry, in = list[0], []int{i}
		}
	}
	if in == nil {
		return entry, nil
	}
	in = in[:0]
	for i, list := range r.lists {
		if len(list) > 0 && list[0].signature == entry.signature {
			r.lists[i], read[i].signature, in = list[1:], entry.signature, append(in, i)
		}
	}
	return entry, in
}

// movement is what a transaction changed at the address: its USDC, or else one of the other
// mints.
func (r *reading) movement(l *landing) (chain.Movement, bool) {
	for i, at := range r.places {
		delta := l.on(at.account)
		if delta == 0 {
			continue
		}
		m := chain.Movement{
			Signature: chain.Signature(l.signature.String()), Slot: l.slot, At: l.at, Memo: l.memo,
			Mint: r.mints[i].String(), Supported: i == 0, Delta: money.USDC(0), Own: l.payer == r.feePayer,
			Counterparty: chain.Address(l.otherSide(r.mints[i], r.owner, delta).String()),
		}
		if m.Supported {
			m.Delta = money.USDC(delta)
		}
		return m, true
	}
	return chain.Movement{}, false
}
