// Package widgets keeps ramp widgets and the sessions of their visitors (docs/api.md, "Ramp
// widgets").
//
// A widget is a place on the pages of a business at which visitors buy or sell USDC. Its public key
// may stand in those pages. A page opens a session with the key and with its own origin, which must
// be one that the widget allows; the token of the session then speaks for that visitor alone.
//
// What a program needs, on the service Engine.Widgets:
//
//   - [Service.Create], with [CreateParams]: a [Widget] and its public key
//   - [Service.Update], [Service.SetDomains] and [Service.SetStatus]: change it
//   - [Service.Get] and [Service.List]: widgets
//   - [Service.Open] and [Service.Session]: the session of a visitor
//   - [ErrNotFound], [ErrOrigin] and [ErrSession]
//
// The functions whose names end in In, [Tx] and the kinds of rows are for the engine and the stores.
package widgets
