// Package pgtest gives tests a PostgreSQL of their own: a cluster in a temporary
// directory, made by the system's initdb, that listens to one Unix socket and to
// no network. The directory is in memory, in /dev/shm, if a gibibyte is free there and
// the cluster need not be durable. It belongs to the present user, or to an unprivileged one when the
// tests run as root, and is removed when the test binary ends, however it ends.
//
// A test binary has one cluster, started by the first test that asks for a
// database:
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
//	func TestSomething(t *testing.T) {
//		s, err := postgres.Open(t.Context(), pgtest.URL(t))
//
// FERRY_TEST_POSTGRES may name a running server instead, as a URL with a role
// that may create databases. Tests that stop or cut off a server start one of
// their own with NewCluster.
//
// Nothing is skipped: where PostgreSQL is not installed, tests fail and say what
// to install. So files that use the package carry the build tag postgres.
package pgtest
