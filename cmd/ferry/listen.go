package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen opens an address for the web. setting is the flag or the field that has the
// address; errors name it.
func listen(setting, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	_, malformed := errors.AsType[*net.AddrError](err)
	switch {
	case err == nil:
		return listener, nil
	case malformed:
		return nil, fmt.Errorf("%s: %w: give a host and a port, as 127.0.0.1:8080", setting, err)
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: %w: choose another port", setting, err)
	}
	return nil, fmt.Errorf("%s: %w", setting, err)
}

// openURL is where a browser on this machine finds a listener: one on all
// interfaces is on the loopback, too.
func openURL(address net.Addr) string {
	at, ok := address.(*net.TCPAddr)
	if ok && at.IP.IsUnspecified() {
		address = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: at.Port}
	}
	return "http://" + address.String()
}
