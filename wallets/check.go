package wallets

import (
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets/internal/check"
)

// MaxLabel is the greatest length of a label, in code points.
const MaxLabel = 100

func checkLabel(label string, p *ferry.Problems) {
	check.Line("label", label, MaxLabel, p)
}

// CheckPlace refuses another network or asset than ours; empty means ours.
func CheckPlace(network, asset string) error {
	if network != "" && !strings.EqualFold(network, Network) {
		return ErrInvalidNetwork
	}
	if asset != "" && !strings.EqualFold(asset, Asset.String()) {
		return ErrInvalidAsset
	}
	return nil
}
