// Package seededbugs has twelve bugs that a payments engine may have, as overlays of the build:
// no product has them, and each test of the whole has to find them.
//
// An overlay is made from the present source. When the source moves on, so that an edit does
// not fit any more, Overlay fails.
package seededbugs
