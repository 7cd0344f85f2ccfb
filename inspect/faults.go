package inspect

import (
	"context"
	"net/http"

	"github.com/ferrypay/ferry/sandbox"
)

// faultsData is the board of faults.
type faultsData struct {
	Faults []faultRow `json:"faults"`
	// API are faults of ferry's own API, and APIKinds those that there are.
	API      []APIFault `json:"api"`
	APIKinds []apiKind  `json:"-"`
}

// faultRow is a kind of fault, and how often it still strikes and has struck.
type faultRow struct {
	Target      string `json:"target"`
	Kind        string `json:"kind"`
	Description string `json:"description"`
	Left        int    `json:"left"`
	Struck      uint64 `json:"struck"`
}

// faults shows all kinds of faults.
func (i *Inspector) faults(ctx context.Context, _ *http.Request) (any, error) {
	armed, err := i.engine.World.Armed(ctx)
	if err != nil {
		return nil, err
	}
	d := faultsData{API: i.refusals.all(), APIKinds: apiKinds}
	for _, f := range i.engine.World.Faults() {
		if f.Target == sandbox.TargetChain && i.engine.RealChain() {
			continue
		}
		row := faultRow{Target: string(f.Target), Kind: string(f.Kind), Description: f.Description}
		for _, a := range armed {
			if a.Target == f.Target && a.Kind == f.Kind {
				row.Left, row.Struck = a.Left, a.Struck
			}
		}
		d.Faults = append(d.Faults, row)
	}
	return d, nil
}

// Arm makes the next call go wrong.
func (f faultRow) Arm() Act {
	return act("Arm one", helper("faults", body{"target": f.Target, "kind": f.Kind, "count": f.Left + 1}))
}

// Disarm lets the next calls go well.
func (f faultRow) Disarm() Act {
	return act("Disarm", helper("faults", body{"target": f.Target, "kind": f.Kind, "count": 0}))
}
