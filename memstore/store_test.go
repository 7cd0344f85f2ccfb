package memstore_test

import (
	"testing"

	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storetest"
)

func TestTheContract(t *testing.T) {
	storetest.Run(t, func(testing.TB) store.Backend { return memstore.New() })
}
