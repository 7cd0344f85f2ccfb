package wallets

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
)

// mark is the last word of an attempt's memo. It makes the memo unique. With the engine's
// keys, and only with them, it says which attempt of which transfer the transaction is.
// So a restored store can identify payments that it has forgotten.
type mark struct {
	Transfer TransferID
	// Attempt is the number of the attempt, modulo 65536.
	Attempt int
}

// A mark is the 16 bytes of the transfer's id, 2 of the number, and 6 of a keyed
// digest over them, in 32 letters.
const (
	markID   = 16
	markData = markID + 2
	markSize = markData + 6
)

// transferPrefix begins the ids of transfers.
const transferPrefix = "trx_"

// writeMark returns the text of a mark.
func (s *Service) writeMark(env ferry.Env, m mark) (string, error) {
	id, err := hex.DecodeString(strings.TrimPrefix(string(m.Transfer), transferPrefix))
	if err != nil || len(id) != markID {
		return "", fmt.Errorf("wallets: %q is no id of a transfer", m.Transfer)
	}
	data := binary.BigEndian.AppendUint16(id, uint16(m.Attempt))
	return base64.RawURLEncoding.EncodeToString(append(data, s.proveMark(env, data)...)), nil
}

// readMark finds the mark of this engine at the end of a memo.
func (s *Service) readMark(env ferry.Env, memo string) (mark, bool) {
	text := memo[strings.LastIndexByte(memo, ' ')+1:]
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != markSize || !hmac.Equal(b[markData:], s.proveMark(env, b[:markData])) {
		return mark{}, false
	}
	return mark{
		Transfer: TransferID(transferPrefix + hex.EncodeToString(b[:markID])),
		Attempt:  int(binary.BigEndian.Uint16(b[markID:])),
	}, true
}

func (s *Service) proveMark(env ferry.Env, data []byte) []byte {
	return s.config.Sealer.Digest(append([]byte(env+"/"), data...), "wallets.mark")[:markSize-markData]
}
