// Package clockmock has a mock of ferry.Clock, made by mockgen, for tests of programs
// that read one.
package clockmock

//go:generate go tool -modfile=../tools/mockgen.mod mockgen -source=../clock.go -destination=mock.go -package=clockmock -typed -write_package_comment=false
