// Package ratesmock has a mock of the Source port, made by mockgen for tests of programs
// that call one. To test against a source of rates that has state and
// faults, take package sandbox or ferrytest instead.
//
//	func TestMine(t *testing.T) {
//		mock := ratesmock.NewMockSource(gomock.NewController(t))
//		mock.EXPECT().Quote(gomock.Any(), money.AssetUSDC, money.AssetNGN).Return(rates.Quote{}, rates.ErrUnavailable)
//	}
package ratesmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../rates.go -destination=mock.go -package=ratesmock -typed -write_package_comment=false
