// Package crash starts the real server, kills it again and again while many
// clients use it, and holds what is left against a model of what was
// acknowledged. Its tests are the whole of it; `make crash` runs them in the
// large.
package crash
