// Package memo writes and reads the last word of a memo on the chain: it says which attempt
// of which transfer a transaction is.
package memo

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
)

// Mark is the last word of an attempt's memo. It makes the memo unique. With the engine's
// keys, and only with them, it says which attempt of which transfer the transaction is.
// So a restored store can identify payments that it has forgotten.
type Mark struct {
	Transfer string
	// Attempt is the number of the attempt, modulo 65536.
	Attempt int
}

// Marks writes and reads marks with the keys of a Sealer.
type Marks struct{ Sealer seal.Sealer }

// Length is the length of what makes a memo unique: a space and the 32 letters of a mark.
const Length = 33

// A mark is the 16 bytes of the transfer's id, 2 of the number, and 6 of a keyed
// digest over them, in 32 letters.
const (
	markID   = 16
	markData = markID + 2
	markSize = markData + 6
)

// Unique adds the text of a mark to a memo.
func Unique(memo, mark string) string {
	if memo == "" {
		return mark
	}
	return memo + " " + mark
}

// transferPrefix begins the ids of transfers.
const transferPrefix = "trx_"

// Write returns the text of a mark.
func (k Marks) Write(env ferry.Env, m Mark) (string, error) {
	id, err := hex.DecodeString(strings.TrimPrefix(m.Transfer, transferPrefix))
	if err != nil || len(id) != markID {
		return "", fmt.Errorf("memo: %q is no id of a transfer", m.Transfer)
	}
	data := binary.BigEndian.AppendUint16(id, uint16(m.Attempt))
	return base64.RawURLEncoding.EncodeToString(append(data, k.prove(env, data)...)), nil
}

// Read finds the mark of this engine at the end of a memo.
func (k Marks) Read(env ferry.Env, memo string) (Mark, bool) {
	text := memo[strings.LastIndexByte(memo, ' ')+1:]
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != markSize || !hmac.Equal(b[markData:], k.prove(env, b[:markData])) {
		return Mark{}, false
	}
	return Mark{
		Transfer: transferPrefix + hex.EncodeToString(b[:markID]),
		Attempt:  int(binary.BigEndian.Uint16(b[markID:])),
	}, true
}

func (k Marks) prove(env ferry.Env, data []byte) []byte {
	return k.Sealer.Digest(append([]byte(env+"/"), data...), "wallets.mark")[:markSize-markData]
}
