package hosted

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesOfPagesAreSentWithoutCommentsAndIndentation(t *testing.T) {
	for given, want := range map[string]string{
		"// What it does.\n(() => {\n\t// why\n  a(\"http://x\"); // stays\n})();\n": "(() => {\na(\"http://x\"); // stays\n})();\n",
		"/* Colours. */\n@media print {\n  a { b: c; } /* d */\n}\n":                 "@media print {\na { b: c; } /* d */\n}\n",
	} {
		require.Equal(t, want, string(lean([]byte(given))))
	}
}
