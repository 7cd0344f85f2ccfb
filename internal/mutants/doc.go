// Command mutants looks for mistakes in the sources of money that no test would notice. It makes
// one small change after another, each a mutant: a condition the other way round, a statement left
// out, two statements in the other order, a sum that is a difference. Tests that then pass show what
// they do not check.
//
//	go run ./internal/mutants                  # all of them: hours
//	go run ./internal/mutants -only refunds    # those of one package and below
//
// All mutants of a package are built into one binary for each package of tests, and a variable of
// the environment says which of them is there. So a mutant costs no build, and a run of the tests that
// reach it, until one fails: those of the packages of money first. The tools that are around build
// once for each mutant and ask only the tests of its own package, while ours are mostly held by tests
// of the whole.
//
// A mutant that nobody notices is printed, unless unnoticed.txt says why it changes nothing that
// anybody was promised. A function whose mutants are all noticed gets a line in held.txt, and is not
// tried again until its text changes.
package main
