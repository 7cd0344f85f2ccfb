package main

import (
	"fmt"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

type versionCommand struct{}

// Run prints the module's version, or the commit that it was built from.
func (versionCommand) Run() error {
	fmt.Println("ferry", version())
	return nil
}

// versionFlag is --version.
type versionFlag bool

// BeforeReset prints the version before anything else is looked at.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	if err := (versionCommand{}).Run(); err != nil {
		return err
	}
	app.Exit(0)
	return nil
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value
		}
	}
	return "devel"
}
