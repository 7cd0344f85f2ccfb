package canary_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/canary"
)

func TestASecretIsFoundInWhatEncodersAndFormattersMakeOfIt(t *testing.T) {
	secret := []byte("\xfb\xff a secret of 24 bytes\x00")
	list := strings.Join(strings.Fields(fmt.Sprint(secret)), ",")
	for _, text := range []string{
		string(secret), fmt.Sprintf("%x", secret), fmt.Sprint(secret), list, base64.StdEncoding.EncodeToString(secret), base64.URLEncoding.EncodeToString(secret),
	} {
		require.True(t, canary.Shown("level=DEBUG value="+text+" key=1", secret), text)
	}
	require.False(t, canary.Shown("a secret of another kind", secret))
}
