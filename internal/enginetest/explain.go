package enginetest

import "github.com/ferrypay/ferry/explain"

// Points are who has to act on what, or has refused it: who and code of points, in order.
func Points(all []explain.Point) (said []string) {
	for _, p := range all {
		said = append(said, string(p.Who)+" "+p.Code)
	}
	return said
}
