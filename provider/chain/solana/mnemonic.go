package solana

import (
	"errors"
	"fmt"
	"strings"

	sol "github.com/gagliardetto/solana-go"
	"golang.org/x/text/unicode/norm"

	"github.com/ferrypay/ferry/provider/chain"
)

// MaxAccount is the greatest number of an account of a mnemonic.
const MaxAccount = 1<<31 - 1

var (
	// ErrMnemonic refuses what is no BIP-39 mnemonic of English words: 12, 15, 18, 21 or 24 of
	// them, the last of which holds a checksum. It never shows the words.
	ErrMnemonic = errors.New("solana: not a mnemonic: 12 to 24 English words of BIP-39, with a right checksum")
	// ErrAccount refuses an account above MaxAccount.
	ErrAccount = errors.New("solana: the number of an account is 0 to 2147483647")
)

// SeedOfMnemonic returns the seed of an account of a mnemonic, at the path m/44'/501'/account'/0'
// (SLIP-0010), as Phantom and most other wallets derive it. Account 0 is the first. The words may
// be separated by any white space and be written in capital letters. The passphrase is that of
// BIP-39; most mnemonics have an empty one. Another passphrase is no error: it has other keys, so
// compare the address. Errors: ErrMnemonic, ErrAccount.
func SeedOfMnemonic(words, passphrase string, account uint32) (chain.Seed, error) {
	if account > MaxAccount {
		return chain.Seed{}, ErrAccount
	}
	clean := strings.Join(strings.Fields(strings.ToLower(words)), " ")
	path := fmt.Sprintf("m/44'/501'/%d'/0'", account)
	key, err := sol.PrivateKeyFromMnemonicAtPath(clean, norm.NFKD.String(passphrase), path)
	if err != nil { // it might show a word
		return chain.Seed{}, ErrMnemonic
	}
	defer clear(key)
	return chain.OpenSeed(key[:len(key)/2]) // the other half is the public key
}
