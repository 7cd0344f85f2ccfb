// Package kycmock has a mock of the Provider port, made by mockgen for the tests of programs
// that bring an adapter's caller of their own. To test against a kyc that has state and
// faults, take package sandbox or ferrytest instead.
package kycmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../kyc.go -destination=mock.go -package=kycmock -typed -write_package_comment=false
