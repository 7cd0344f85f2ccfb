// Package billermock has a mock of the Biller port, made by mockgen for tests of programs
// that call one. To test against a biller that has state and
// faults, take package sandbox or ferrytest instead.
//
//	func TestMine(t *testing.T) {
//		mock := billermock.NewMockBiller(gomock.NewController(t))
//		mock.EXPECT().Outcome(gomock.Any(), "order-1").Return(biller.Outcome{}, biller.ErrUnavailable)
//	}
package billermock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../biller.go -destination=mock.go -package=billermock -typed -write_package_comment=false
