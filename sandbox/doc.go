// Package sandbox is a simulated outside world behind the ports of package
// provider: a chain, a bank, a biller, an identity provider, a source of rates, and the
// clock they share.
//
// One World is one place in time. It lives in a Store, so it survives restarts
// and is shared by all processes on that store. It is made from a seed: the
// same seed and the same calls at the same instants make the same world. Its
// clock is real time plus what Advance added; nothing in it runs by itself. The
// chain's blocks follow from the time, so a day that is skipped costs nothing.
//
// The ports are for the engine. What people do to the world from outside stands
// on World: Deposit and Credit bring money, Advance moves the clock, Inject
// makes the next calls go wrong in a way that Faults lists. Published magic
// values choose outcomes without any call (docs/api.md, "Magic values").
//
// What a program or a test needs:
//
//   - [New], with a [Config]: a [World]. Without one the engine makes it: Engine.World
//   - [World.Deposit] and [World.Credit]: USDC and naira arrive from outside
//   - [World.Inject], with a [Target] and a [Kind]: the next calls fail, each in its way
//   - [World.SetPrice]: the rate of USDC
//   - [World.OTP] and [MagicOTP]: one-time passwords
//   - [World.Advance]: time passes; Engine.Advance does the work that becomes due as well
//   - [World.Chain], [World.Bank], [World.KYC], [World.Biller] and [World.Rates]: the simulated providers
//   - [Store] and [Memory]: where it is kept
//
// The other methods are for the engine, and for the API's test helpers.
package sandbox
