package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// installed is the version that the test publishes.
const installed = "v0.0.1-test"

// TestTheBinaryIsInstalledFromAModuleProxy tags a copy of this tree, has the go command
// fetch the modules by their tags, as a module proxy does, and installs the binary from
// what was fetched. Modules of others come from the module cache of this machine.
func TestTheBinaryIsInstalledFromAModuleProxy(t *testing.T) {
	published := copyOfTheTree(t)
	require.NoError(t, published.tag(t.Context(), t.Output(), installed, false))
	home := t.TempDir()
	run := func(proxy string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "GOPROXY="+proxy, "GOMODCACHE="+filepath.Join(home, "mod"), "GOBIN="+home,
			"GOWORK=off", "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=",
			"GOFLAGS=-modcacherw -trimpath", // what is compiled does not depend on where the cache is
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url."+fileURL(published.dir)+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+published.modules[0].path)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %s: %s", strings.Join(args, " "), out)
	}
	for _, m := range published.modules {
		if m.published() {
			run("direct", "mod", "download", m.path+"@"+installed)
		}
	}
	fetched := filepath.Join(home, "proxy")
	require.NoError(t, os.Rename(filepath.Join(home, "mod", "cache", "download"), fetched))
	here, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	others := filepath.Join(strings.TrimSpace(string(here)), "cache", "download")
	run(fileURL(fetched)+","+fileURL(others), "install", published.modules[0].path+"/cmd/ferry@"+installed)

	binary := filepath.Join(home, "ferry")
	version, err := exec.CommandContext(t.Context(), binary, "--version").Output()
	require.NoError(t, err)
	require.Equal(t, "ferry "+installed+"\n", string(version))
	requireServes(t, binary)
}

// copyOfTheTree is this tree in a repository of its own, with what is not committed yet.
func copyOfTheTree(t *testing.T) *tree {
	t.Helper()
	top, err := filepath.Abs("../..")
	require.NoError(t, err)
	// The checkout may belong to another user than the one who tests it.
	list := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = top
	names, err := list.Output()
	require.NoError(t, err)
	c := checkout{t, t.TempDir()}
	for _, name := range strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		require.NoError(t, err)
		c.write(name, string(text))
	}
	c.commit()
	copied, err := readTree(t.Context(), c.dir)
	require.NoError(t, err)
	return copied
}

// requireServes starts a sandbox on a file and asks whether it is ready.
func requireServes(t *testing.T, binary string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	dev := exec.CommandContext(ctx, binary, "dev", "--addr=127.0.0.1:0", "--json", "--store=sqlite:"+filepath.Join(t.TempDir(), "ferry.db"))
	out, err := dev.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, dev.Start())
	defer func() { _ = dev.Wait() }()
	defer stop()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err)
	var ready struct {
		BaseURL string `json:"base_url"`
	}
	require.NoError(t, json.Unmarshal(line, &ready))
	response, err := http.Get(ready.BaseURL + "/readyz")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
}

// fileURL is the URL of a path.
func fileURL(path string) string { return "file://" + filepath.ToSlash(path) }
