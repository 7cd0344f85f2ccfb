// Package chainmock has a mock of the Chain port, made by mockgen for tests of programs
// that call one. To test against a chain that has state and
// faults, take package sandbox or ferrytest instead.
//
//	func TestMine(t *testing.T) {
//		mock := chainmock.NewMockChain(gomock.NewController(t))
//		mock.EXPECT().Genesis(gomock.Any()).Return("", chain.ErrUnavailable)
//	}
package chainmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../chain.go -destination=mock.go -package=chainmock -typed -write_package_comment=false
