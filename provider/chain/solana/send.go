package solana

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain/solana/internal/payment"
)

// Send offers the bytes to all nodes at once. It returns nil when one of them took them.
//
// Nodes do not try them first: what a program refuses then lands with its error, which is
// evidence, and a refusal before is none. Nodes do not repeat them either, because the caller
// does.
func (c *Chain) Send(ctx context.Context, bytes []byte) error {
	if len(bytes) == 0 || len(bytes) > payment.PacketSize {
		return fmt.Errorf("solana: %d bytes are no transaction", len(bytes))
	}
	text, never := base64.StdEncoding.EncodeToString(bytes), uint(0)
	_, failures := askAll(ctx, c, func(ctx context.Context, n *node) (sol.Signature, error) {
		return call(ctx, n, func(ctx context.Context, r *rpc.Client) (sol.Signature, error) {
			return answered(r.SendEncodedTransactionWithOpts(ctx, text, rpc.TransactionOpts{
				Encoding: sol.EncodingBase64, SkipPreflight: true, MaxRetries: &never,
			}))
		})
	})
	if slices.Contains(failures, nil) {
		return nil
	}
	return errors.Join(failures...)
}
