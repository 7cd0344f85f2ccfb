package sandbox

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

const returnPrefix = "bank/return/"

func returnKey(key string) string { return returnPrefix + hex.EncodeToString([]byte(key)) }
func givenBackKey(session string) string {
	return "bank/given_back/" + hex.EncodeToString([]byte(session))
}

// givenBack is the document of one return.
type givenBack struct {
	SessionID string
	Kobo      int64
}

func (b simBank) Return(ctx context.Context, key, session string, amount money.Amount) error {
	var refused error
	err := b.provider().effect(ctx, func(m *moment) (err error) {
		refused, err = m.giveBack(key, givenBack{session, amount.Minor()})
		return err
	})
	if err != nil {
		return err
	}
	return refused
}

// giveBack sends part of a credit back, once for a key.
func (m *moment) giveBack(key string, r givenBack) (refused, err error) {
	var known givenBack
	if found, err := load(m, returnKey(key), &known); err != nil || found {
		return nil, err
	}
	var came credit
	found, err := load(m, sessionKey(r.SessionID), &came)
	if err != nil || !found {
		return bank.ErrUnknownSession, err
	}
	var before int64
	if _, err := load(m, givenBackKey(r.SessionID), &before); err != nil {
		return nil, err
	}
	if r.Kobo <= 0 || r.Kobo > came.Kobo-before {
		return bank.ErrTooMuch, nil
	}
	if err := save(m, givenBackKey(r.SessionID), before+r.Kobo); err != nil {
		return nil, err
	}
	return nil, save(m, returnKey(key), r)
}

// Returns lists returns in the order of their keys.
func (b simBank) Returns(ctx context.Context, after bank.Cursor, limit int) ([]bank.Returned, error) {
	var all []bank.Returned
	err := b.provider().query(ctx, func(m *moment) error {
		all = nil
		docs, err := m.Scan(returnPrefix, returnPrefix+string(after), limit)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			r, err := sentBack(doc)
			if err != nil {
				return err
			}
			all = append(all, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func sentBack(doc Doc) (bank.Returned, error) {
	var r givenBack
	if err := decode(doc.Key, doc.Data, &r); err != nil {
		return bank.Returned{}, err
	}
	place := strings.TrimPrefix(doc.Key, returnPrefix)
	key, err := hex.DecodeString(place)
	return bank.Returned{Key: string(key), SessionID: r.SessionID, Amount: money.NGN(r.Kobo), Cursor: bank.Cursor(place)}, err
}
