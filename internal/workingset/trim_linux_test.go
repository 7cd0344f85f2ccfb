package workingset

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPagesOfTheProgramAreGivenBack(t *testing.T) {
	before := residentOfFiles(t)
	Trim()
	require.Less(t, residentOfFiles(t), before*3/4)
}

// residentOfFiles is how many kilobytes of files, above all of the program, are in memory. Those of a file
// system in memory have a line of their own.
func residentOfFiles(t *testing.T) (sum int) {
	text, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	sizes := regexp.MustCompile(`Rss(?:File|Shmem):\s+(\d+) kB`).FindAllSubmatch(text, -1)
	require.Len(t, sizes, 2)
	for _, size := range sizes {
		n, err := strconv.Atoi(string(size[1]))
		require.NoError(t, err)
		sum += n
	}
	return sum
}

func TestOnlyPagesThatAreAsInTheFileCanBeReadAgain(t *testing.T) {
	const smaps = `00400000-01cde000 r-xp 00000000 fe:00 9986373                            /srv/my ferry
Size:              25464 kB
Anonymous:             0 kB
Swap:                  0 kB
01cde000-03a30000 r--p 018de000 fe:00 9986373                            /srv/my ferry
Size:              30024 kB
Anonymous:             4 kB
Swap:                  0 kB
03a30000-03b21000 rw-p 03630000 fe:00 9986373                            /srv/my ferry
Anonymous:             0 kB
Swap:                  0 kB
03b21000-03b22000 r--p 03630000 fe:00 9986373                            /srv/my ferry
Size:                  4 kB
03b22000-03b23000 r--p 03630000 fe:00 9986373                            /srv/my ferry
Anonymous:             0 kB
Swap:                  4 kB
7fc89dea7000-7fc89dea9000 r-xp 001d3000 fe:00 326269                     /usr/lib/libc.so.6
Anonymous:             0 kB
`
	found := mappingsOf("/srv/my ferry", strings.NewReader(smaps))
	require.Len(t, found, 5)
	require.Equal(t, mapping{start: 0x400000, end: 0x1cde000, rights: "r-xp"}, found[0])
	require.True(t, found[0].unchanged())
	require.False(t, found[1].unchanged(), "the loader wrote to it")
	require.False(t, found[2].unchanged(), "it may be written at any time")
	require.False(t, found[3].unchanged(), "nothing says whether it was written")
	require.False(t, found[4].unchanged(), "what the loader wrote is in swap")
	require.Empty(t, mappingsOf("/srv/other", strings.NewReader(smaps)))
}
