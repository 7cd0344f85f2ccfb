package ferry_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

func TestTheFirstNameThatIsKnownCounts(t *testing.T) {
	missing, broken := ferry.NewError(ferry.NotFound, "not_found", "Not found"), errors.New("the store is broken")
	var asked []string
	find := func(name string) (int, error) {
		asked = append(asked, name)
		switch name {
		case "broken":
			return 0, broken
		case "unknown", "neither":
			return 0, missing
		}
		return len(name), nil
	}
	got, err := ferry.FirstFound(find, "unknown", "ada", "bola")
	require.NoError(t, err)
	require.Equal(t, 3, got)
	require.Equal(t, []string{"unknown", "ada"}, asked)
	_, err = ferry.FirstFound(find, "broken", "ada")
	require.ErrorIs(t, err, broken, "what is not known to be missing ends the search")
	_, err = ferry.FirstFound(find, "unknown", "neither")
	require.ErrorIs(t, err, missing)
}
