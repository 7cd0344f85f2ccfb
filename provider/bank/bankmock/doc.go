// Package bankmock has a mock of the Bank port, made by mockgen for the tests of programs
// that bring an adapter's caller of their own. To test against a bank that has state and
// faults, take package sandbox or ferrytest instead.
package bankmock

//go:generate go tool -modfile=../../../tools/mockgen.mod mockgen -source=../bank.go -destination=mock.go -package=bankmock -typed -write_package_comment=false
