// Package sim runs the whole engine under a storm that is drawn from one seed, and holds what
// it does against a model of what each party is owed.
//
//	func TestTheStorm(t *testing.T) { sim.Run(t, sim.Config{Seed: 103, Steps: 4000}) }
//
// A run has one goroutine at work and one clock. Two servers with the engine that production
// runs stand on one store. A server goes on from one place at which it awaits the store or the
// outside world to the next. There it may be paused while the other one works, or it dies and
// comes back. Clients repeat requests whose answers were lost; payers pay too much, too little
// and twice; bank and chain lose, delay and take back; receivers of webhooks fail; units of the
// store fail, or commit and do not say so. Which of these happen, and how often, is drawn as
// well: some runs are quiet.
//
// After every step no account may have less than is set aside of it, no status may go back, and
// events come signed, in their order and always the same. Each run ends in a calm. Then everything
// has to come to rest, and each party has to have what it is owed by the outside world: see
// docs/simulation.md.
//
// The same seed is the same run. When a run breaks a promise, Run prints the shortest storm
// that does, and a Go test that repeats it.
//
// What a test needs:
//
//   - [Config.Build]: a program of your own stands in the storm, as a [Subject]
//   - [Run], with a [Config]: one run, which fails the test when a promise is broken
//   - [Live]: the same without a test; its [Result] has the hash of what happened
//   - [Machine]: a store for [Config.Store] whose power the storm cuts, such as SQLite on a simulated disk
//   - [Violation]: which promise was broken, and how
package sim
