// Package chainmock has a mock of the Chain port, made by mockgen for the tests of programs
// that bring an adapter's caller of their own. To test against a chain that has state and
// faults, take package sandbox or ferrytest instead.
package chainmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../chain.go -destination=mock.go -package=chainmock -typed -write_package_comment=false
