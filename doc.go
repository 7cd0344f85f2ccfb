// Package ferry holds the words that every part of the payments engine shares:
// scopes, identifiers, errors, units of work, lifecycles, pages and metadata.
// It holds types only. To run an engine, start at package engine.
package ferry
