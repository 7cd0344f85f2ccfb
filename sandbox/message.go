package sandbox

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/mr-tron/base58"
)

// The packet of a real transfer, by which the simulated one is limited too: a
// fee payer's signature and key, the destination's owner and token account, the
// mint and five programs, two budget instructions, the creation of the token
// account and the memo; and per source a signature, two keys and an instruction.
const (
	packetSize      = 1232
	packetFixed     = 424
	packetPerSource = 145
)

// maxMemo is how many bytes of memo fit a packet with so many sources.
func maxMemo(sources int) int {
	if sources < 1 {
		return -1
	}
	return packetSize - packetFixed - packetPerSource*sources
}

// message is what the sources of a payment sign.
type message struct {
	Blockhash   [blockhashSize]byte
	Destination chain.Address
	Sources     []source
	Memo        string
}

// source is one owner and what it pays, in millionths of USDC.
type source struct {
	Owner  chain.Address
	Amount int64
}

const messageMagic = "ferry sandbox transfer 1\n"

// newMessage builds the one message of a transfer, or refuses it with
// chain.ErrInvalidTransfer.
func newMessage(t chain.Transfer, blockhash [blockhashSize]byte) (message, error) {
	m := message{blockhash, t.Destination, nil, t.Memo}
	if _, err := chain.ParseAddress(string(t.Destination)); err != nil {
		return m, refuse("destination %q is no address", t.Destination)
	}
	if most := maxMemo(len(t.Sources)); most < 0 || len(t.Memo) > most || !utf8.ValidString(t.Memo) {
		return m, refuse("%d sources and a memo of %d bytes", len(t.Sources), len(t.Memo))
	}
	seen := map[chain.Address]bool{}
	for _, s := range t.Sources {
		if _, err := chain.ParseAddress(string(s.Address)); err != nil || seen[s.Address] {
			return m, refuse("source %q is no address or named twice", s.Address)
		}
		if s.Amount.Asset() != money.AssetUSDC || s.Amount.Sign() <= 0 {
			return m, refuse("source %s pays %s", s.Address, s.Amount)
		}
		seen[s.Address] = true
		m.Sources = append(m.Sources, source{s.Address, s.Amount.Minor()})
	}
	return m, nil
}

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{chain.ErrInvalidTransfer}, args...)...)
}

// encode returns the bytes that are signed.
func (m message) encode() []byte {
	b := append([]byte(messageMagic), m.Blockhash[:]...)
	b = append(b, rawAddress(m.Destination)...)
	b = append(b, byte(len(m.Sources)))
	for _, s := range m.Sources {
		b = append(b, rawAddress(s.Owner)...)
		b = binary.BigEndian.AppendUint64(b, uint64(s.Amount))
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(m.Memo)))
	return append(b, m.Memo...)
}

func rawAddress(a chain.Address) []byte {
	raw, err := base58.Decode(string(a))
	if err != nil {
		panic(err) // addresses are parsed before they get here
	}
	return raw
}

// sign returns the signed bytes of m: the message behind one signature a source.
func (m message) sign(keys chain.Keyring) ([]byte, error) {
	text := m.encode()
	var signatures []byte
	for _, s := range m.Sources {
		signature, err := keys.Sign(s.Owner, text)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature...)
	}
	return append(signatures, text...), nil
}

// signatureOf is the first signature, which names the signed bytes.
func signatureOf(signed []byte) chain.Signature {
	return chain.Signature(base58.Encode(signed[:ed25519.SignatureSize]))
}

var errMalformed = errors.New("sandbox: not a signed transaction")

// verify decodes signed bytes and checks every signature.
func verify(signed []byte) (message, error) {
	start := bytes.Index(signed, []byte(messageMagic))
	if start <= 0 || start%ed25519.SignatureSize != 0 || len(signed) > packetSize {
		return message{}, errMalformed
	}
	m, err := decodeMessage(signed[start+len(messageMagic):])
	if err != nil || len(m.Sources)*ed25519.SignatureSize != start {
		return message{}, errMalformed
	}
	for i, s := range m.Sources {
		signature := signed[i*ed25519.SignatureSize:][:ed25519.SignatureSize]
		if !ed25519.Verify(rawAddress(s.Owner), signed[start:], signature) {
			return message{}, fmt.Errorf("%w: signature %d", errMalformed, i)
		}
	}
	return m, nil
}

// decodeMessage reads what encode wrote after the magic. Reading past the end
// leaves zeros, which the comparison with a fresh encoding finds.
func decodeMessage(text []byte) (message, error) {
	in := bytes.NewReader(text)
	var m message
	in.Read(m.Blockhash[:]) //nolint:errcheck // see above
	m.Destination = readAddress(in)
	count, _ := in.ReadByte()
	for range count {
		s := source{Owner: readAddress(in)}
		var amount [8]byte
		in.Read(amount[:]) //nolint:errcheck // see above
		s.Amount = int64(binary.BigEndian.Uint64(amount[:]))
		m.Sources = append(m.Sources, s)
	}
	if in.Len() >= 2 {
		in.Seek(2, 1) //nolint:errcheck // there are two bytes
		m.Memo = string(text[len(text)-in.Len():])
	}
	if !bytes.Equal(m.encode(), append([]byte(messageMagic), text...)) {
		return message{}, errMalformed
	}
	transfer := chain.Transfer{Destination: m.Destination, Memo: m.Memo}
	for _, s := range m.Sources {
		transfer.Sources = append(transfer.Sources, chain.Source{Address: s.Owner, Amount: money.USDC(s.Amount)})
	}
	return newMessage(transfer, m.Blockhash)
}

func readAddress(in *bytes.Reader) chain.Address {
	var raw [ed25519.PublicKeySize]byte
	in.Read(raw[:]) //nolint:errcheck // see decodeMessage
	return chain.Address(base58.Encode(raw[:]))
}
