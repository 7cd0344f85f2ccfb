// Package clockmock has a mock of ferry.Clock, made by mockgen, for tests of programs
// that read one.
//
//	func TestMine(t *testing.T) {
//		mock := clockmock.NewMockClock(gomock.NewController(t))
//		mock.EXPECT().Now().Return(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
//	}
package clockmock

//go:generate go tool -modfile=../tools/mockgen.mod mockgen -source=../clock.go -destination=mock.go -package=clockmock -typed -write_package_comment=false
