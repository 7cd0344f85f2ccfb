// Package kycmock has a mock of the Provider port, made by mockgen for tests of programs
// that call one. To test against an identity provider that has state and
// faults, take package sandbox or ferrytest instead.
//
//	func TestMine(t *testing.T) {
//		mock := kycmock.NewMockProvider(gomock.NewController(t))
//		mock.EXPECT().Lookup(gomock.Any(), kyc.CAC, "RC123456").Return(kyc.Identity{}, kyc.ErrRejected)
//	}
package kycmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../kyc.go -destination=mock.go -package=kycmock -typed -write_package_comment=false
