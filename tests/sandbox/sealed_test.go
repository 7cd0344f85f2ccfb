package sandbox_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
)

const sealedBVN = "22212345670"

func worldSealer(t *testing.T, key byte) seal.Sealer {
	sealer, err := seal.New(bytes.Repeat([]byte{key}, seal.KeySize))
	require.NoError(t, err)
	return sealer
}

// requireNothingPlain requires that no key and no document of a world holds the
// number or the one-time password, and that it holds something.
func requireNothingPlain(t *testing.T, store sandbox.Store) {
	t.Helper()
	require.NoError(t, store.View(t.Context(), 0, func(kv sandbox.KV) error {
		docs, err := kv.Scan("kyc/", "", 1000)
		require.NotEmpty(t, docs)
		for _, d := range docs {
			for _, plain := range []string{sealedBVN, hex.EncodeToString([]byte(sealedBVN)), sandbox.MagicOTP} {
				require.NotContains(t, d.Key+" "+string(d.Data), plain)
			}
		}
		return err
	}))
}

func TestNoRowOfTheWorldHoldsAnIdentityNumberOrAPassword(t *testing.T) {
	durable := sqlitetest.Open(t)
	for name, store := range map[string]sandbox.Store{"memory": sandbox.NewMemory(), "SQLite": durable.World()} {
		t.Run(name, func(t *testing.T) {
			w := sandbox.New(sandbox.Config{Store: store, Sealer: worldSealer(t, 7)})
			c, err := w.KYC().SendOTP(t.Context(), "idn_1", kyc.BVN, sealedBVN)
			require.NoError(t, err)
			requireNothingPlain(t, store)

			again := sandbox.New(sandbox.Config{Store: store, Sealer: worldSealer(t, 7)})
			_, err = again.KYC().Check(t.Context(), c, kyc.BVN, sealedBVN, sandbox.MagicOTP)
			require.NoError(t, err)
			_, err = again.KYC().Check(t.Context(), c, kyc.BVN, sealedBVN, "654321")
			require.ErrorIs(t, err, kyc.ErrWrongOTP)
			_, err = again.KYC().Check(t.Context(), c, kyc.NIN, sealedBVN, sandbox.MagicOTP)
			require.ErrorIs(t, err, kyc.ErrWrongOTP)
			otp, sent, err := again.OTP(t.Context(), sealedBVN)
			require.NoError(t, err)
			require.True(t, sent)
			require.Equal(t, sandbox.MagicOTP, otp)

			stranger := sandbox.New(sandbox.Config{Store: store, Sealer: worldSealer(t, 8)})
			_, sent, err = stranger.OTP(t.Context(), sealedBVN)
			require.NoError(t, err)
			require.False(t, sent, "nobody without the key finds out who was asked about")
		})
	}
}

// plainWorld is a world as earlier releases kept it, with one challenge.
func plainWorld(t *testing.T) sandbox.Store {
	store := sandbox.NewMemory()
	doc := []byte(fmt.Sprintf(`{"ID":"otp_1","Type":"bvn","Number":%q,"OTP":%q}`, sealedBVN, sandbox.MagicOTP))
	require.NoError(t, store.Update(t.Context(), func(kv sandbox.KV) error {
		for _, key := range []string{"kyc/attempt/" + hex.EncodeToString([]byte("idn_1")), "kyc/challenge/" + hex.EncodeToString([]byte("otp_1")),
			"kyc/otp/" + hex.EncodeToString([]byte(sealedBVN))} {
			if err := kv.Put(key, doc); err != nil {
				return err
			}
		}
		return nil
	}))
	return store
}

func TestAChallengeThatAnEarlierReleaseSentStaysGood(t *testing.T) {
	store := plainWorld(t)
	w := sandbox.New(sandbox.Config{Store: store, Sealer: worldSealer(t, 7)})
	good := func() {
		t.Helper()
		_, err := w.KYC().Check(t.Context(), "otp_1", kyc.BVN, sealedBVN, sandbox.MagicOTP)
		require.NoError(t, err)
		_, err = w.KYC().Check(t.Context(), "otp_1", kyc.BVN, sealedBVN, "654321")
		require.ErrorIs(t, err, kyc.ErrWrongOTP)
		otp, sent, err := w.OTP(t.Context(), sealedBVN)
		require.NoError(t, err)
		require.True(t, sent)
		require.Equal(t, sandbox.MagicOTP, otp)
		c, err := w.KYC().SendOTP(t.Context(), "idn_1", kyc.BVN, sealedBVN)
		require.NoError(t, err)
		require.Equal(t, kyc.Challenge("otp_1"), c, "the same attempt is the same challenge")
	}
	good()
	require.NoError(t, w.Open(t.Context()))
	requireNothingPlain(t, store)
	good()
	require.NoError(t, w.Open(t.Context()), "a second time there is nothing to do")
}
