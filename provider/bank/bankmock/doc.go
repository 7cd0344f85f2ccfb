// Package bankmock has a mock of the Bank port, made by mockgen for tests of programs
// that call one. To test against a bank that has state and
// faults, take package sandbox or ferrytest instead.
//
//	func TestMine(t *testing.T) {
//		mock := bankmock.NewMockBank(gomock.NewController(t))
//		mock.EXPECT().OpenAccount(gomock.Any(), "order-1", "Ada Foods").Return(bank.Account{}, bank.ErrUnavailable)
//	}
package bankmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../bank.go -destination=mock.go -package=bankmock -typed -write_package_comment=false
