// Package ratesmock has a mock of the Source port, made by mockgen for the tests of programs
// that bring an adapter's caller of their own. To test against a rates that has state and
// faults, take package sandbox or ferrytest instead.
package ratesmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../rates.go -destination=mock.go -package=ratesmock -typed -write_package_comment=false
