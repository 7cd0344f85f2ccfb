package solana_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

// published is a mnemonic whose addresses are in the Solana cookbook.
const published = "neither lonely flavor argue grass remind eye tag avocado spot unusual intact"

func TestTheAccountsOfAMnemonicAreThoseThatWalletsShow(t *testing.T) {
	for account, want := range []chain.Address{
		"5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N",
		"GcXbfQ5yY3uxCyBNDPBbR5FjumHf89E7YHXuULfGDBBv",
		"7QPgyQwNLqnoSwHEuK8wKy2Y3Ani6EHoZRihTuWkwxbc",
	} {
		seed, err := solana.SeedOfMnemonic(published, "", uint32(account))
		require.NoError(t, err)
		require.Equal(t, want, seed.Address(), "account %d", account)
	}
	seed, err := solana.SeedOfMnemonic(strings.Repeat("abandon ", 11)+"about", "", 0)
	require.NoError(t, err)
	require.Equal(t, chain.Address("HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk"), seed.Address())
}

func TestWordsMayBeWrittenAsPeopleWriteThem(t *testing.T) {
	want, err := solana.SeedOfMnemonic(published, "", 0)
	require.NoError(t, err)
	got, err := solana.SeedOfMnemonic("\n  "+strings.ReplaceAll(strings.ToUpper(published), " ", " \r\n\t")+"\n", "", 0)
	require.NoError(t, err)
	require.Equal(t, want.Address(), got.Address())
}

func TestAPassphraseIsAnotherKeyHoweverItsLettersAreComposed(t *testing.T) {
	address := func(passphrase string) chain.Address {
		seed, err := solana.SeedOfMnemonic(published, passphrase, 0)
		require.NoError(t, err)
		return seed.Address()
	}
	require.NotEqual(t, address(""), address("Zoe"))
	require.NotEqual(t, address("Zoe"), address("Zo\u00eb"))
	require.Equal(t, address("Zo\u00eb"), address("Zoe\u0308"))
	require.NotEqual(t, address("Zoe"), address("Zoe "), "white space counts")
}

func TestWhatIsNoMnemonicIsRefusedWithoutShowingIt(t *testing.T) {
	words := strings.Fields(published)
	exchanged := strings.Join(append([]string{words[1], words[0]}, words[2:]...), " ")
	for name, wrong := range map[string]string{
		"empty":            "",
		"a word too few":   strings.Join(words[1:], " "),
		"a word misspelt":  strings.Replace(published, "avocado", "avocadoo", 1),
		"words exchanged":  exchanged,
		"a word replaced":  strings.Replace(published, "avocado", "wall", 1),
		"twice as long":    published + " " + published + " " + published,
		"no text but junk": "\x00\xff",
	} {
		_, err := solana.SeedOfMnemonic(wrong, "", 0)
		require.ErrorIs(t, err, solana.ErrMnemonic, name)
		for _, word := range append(words, "avocadoo") {
			require.NotContains(t, err.Error(), word, name)
		}
	}
	_, err := solana.SeedOfMnemonic(published, "", solana.MaxAccount+1)
	require.ErrorIs(t, err, solana.ErrAccount)
	_, err = solana.SeedOfMnemonic(published, "", solana.MaxAccount)
	require.NoError(t, err)
}

// TestTheLibraryDerivesAsSLIP0010Says has the test vectors for ed25519 of SLIP-0010.
func TestTheLibraryDerivesAsSLIP0010Says(t *testing.T) {
	for seed, steps := range map[string][]struct{ step, key string }{
		"000102030405060708090a0b0c0d0e0f": {
			{"m", "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7"},
			{"0'", "68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3"},
			{"1'", "b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2"},
			{"2'", "92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9"},
			{"2'", "30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662"},
			{"1000000000'", "8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793"},
		},
		"fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542": {
			{"m", "171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012"},
			{"0'", "1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635"},
			{"2147483647'", "ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4"},
			{"1'", "3757c7577170179c7868353ada796c839135b3d30554bbb74a4b1e4a5a58505c"},
			{"2147483646'", "5837736c89570de861ebc173b1086da4f505d4adb387c6a1b1342d5e4ac9ec72"},
			{"2'", "551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d"},
		},
	} {
		root, err := hex.DecodeString(seed)
		require.NoError(t, err)
		var path []string
		for _, s := range steps {
			path = append(path, s.step)
			key, err := sol.PrivateKeyFromSeedAtPath(root, strings.Join(path, "/"))
			require.NoError(t, err)
			require.Equal(t, s.key, hex.EncodeToString(key[:32]), "%v", path)
		}
	}
}

func ExampleSeedOfMnemonic() {
	seed, err := solana.SeedOfMnemonic("neither lonely flavor argue grass remind eye tag avocado spot unusual intact", "", 0)
	fmt.Println(seed.Address(), err)
	// Output: 5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N <nil>
}
