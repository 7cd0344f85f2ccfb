package main

import "net"

// openURL is where a browser on this machine finds a listener: one on all
// interfaces is on the loopback, too.
func openURL(address net.Addr) string {
	at, ok := address.(*net.TCPAddr)
	if ok && at.IP.IsUnspecified() {
		address = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: at.Port}
	}
	return "http://" + address.String()
}
