package localnet

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
)

// program is a process that runs a chain. It ends when this process does, as that closes
// its standard input.
type program struct {
	cmd *exec.Cmd
	url string
}

// programs are the processes of this test binary that no test uses now.
var programs pool

type pool struct {
	mu   sync.Mutex
	idle []*program
}

// take returns a program with a new chain.
func (p *pool) take(options map[string]any) (*program, error) {
	for idle := p.pop(); idle != nil; idle = p.pop() {
		if idle.reset(options) == nil {
			return idle, nil
		}
		idle.end()
	}
	started, err := start()
	if err != nil {
		return nil, err
	}
	return started, started.reset(options)
}

func (p *pool) pop() *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	last := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return last
}

// giveBack keeps a program for the next test, with a chain that stands still.
func (p *pool) giveBack(used *program) {
	if call(used.url, "localnet_run", map[string]any{"slotMs": 0}, nil) != nil {
		used.end()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, used)
}

func (p *program) reset(options map[string]any) error {
	return call(p.url, "localnet_reset", options, nil)
}

func (p *program) end() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// sources is where the program is. The go command is asked, because a binary that was built with
// -trimpath does not know.
var sources = sync.OnceValues(func() (string, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", reflect.TypeFor[program]().PkgPath()).Output()
	if err != nil {
		return "", fmt.Errorf("localnet: go list: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(dir)), "node"), nil
})

// start starts a process and waits for its first line, which means that it answers.
func start() (*program, error) {
	dir, err := sources()
	if err != nil {
		return nil, err
	}
	// What is listed here is what the go command takes a kept test result to depend on.
	for _, name := range []string{"", "rpc", "node_modules"} {
		if _, err := os.ReadDir(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("localnet: the program and its npm packages are needed: make deps brings them: %w", err)
		}
	}
	cmd := exec.Command("node", "main.js", "--slot-ms", "0")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("localnet: Node.js 20 is needed: make deps brings it: %w", err)
	}
	var ready struct{ URL string }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	started := &program{cmd: cmd, url: ready.URL}
	if err != nil {
		started.end()
		return nil, fmt.Errorf("localnet: the program did not become ready: %w", err)
	}
	return started, nil
}
