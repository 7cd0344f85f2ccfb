package ferry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

type (
	doorState string
	doorCause string
)

var door = ferry.Lifecycle[doorState, doorCause]{
	Name:    "door",
	Initial: "closed",
	Edges: []ferry.Edge[doorState, doorCause]{
		{From: "closed", On: "push", To: "open", Event: "door.opened"},
		{From: "open", On: "pull", To: "closed"},
		{From: "open", On: "fire", To: "burnt", Event: "door.burnt"},
		{From: "burnt", On: "water", To: "burnt"},
	},
}

func TestAMoveOfALifecycleSaysWhereItLeadsAndWhichEventItMakes(t *testing.T) {
	edge, err := door.Next("closed", "push")
	require.NoError(t, err)
	require.Equal(t, ferry.Edge[doorState, doorCause]{From: "closed", On: "push", To: "open", Event: "door.opened"}, edge)
}

func TestAMoveThatALifecycleDoesNotHaveIsRefused(t *testing.T) {
	for _, c := range []struct {
		from doorState
		on   doorCause
	}{{"closed", "pull"}, {"burnt", "push"}, {"nowhere", "push"}, {"closed", ""}} {
		edge, err := door.Next(c.from, c.on)
		require.ErrorIs(t, err, ferry.ErrInvalidTransition)
		require.ErrorIs(t, err, ferry.Conflict)
		require.Zero(t, edge)
	}
	_, err := door.Next("burnt", "push")
	require.ErrorContains(t, err, "The door is burnt and cannot make this change")
	require.ErrorContains(t, err, "push", "a log tells the cause")
}

func TestAStateThatNothingLeadsOutOfIsFinal(t *testing.T) {
	require.False(t, door.Final("closed"))
	require.False(t, door.Final("open"))
	require.True(t, door.Final("burnt"), "a move to itself does not lead out")
}
