// Package ferry holds the words that every part of the payments engine shares:
// scopes, identifiers, errors, units of work, lifecycles, pages and metadata.
// It holds types only. To run an engine, start at package engine.
//
// What a program needs of it:
//
//   - [Scope]: a business in an environment, an argument of almost every call
//   - [Error], [KindOf] and [CodeOf]: what went wrong, for programs and for people
//   - [Page], [List] and [Range]: a part of a list
//   - [Metadata]: a business's own data on a record
//   - [EnvUnits] and [Units]: units of work, so that several effects are one
//   - [Operation]: work that engine.Do does once for each key
//   - [Clock] and [Brand]: settings of an engine
//
// The other names are for packages that keep records as those of ferry do: [Lifecycle],
// [Problems], [Steps], [Walk], [NewIDs] and the like.
package ferry
