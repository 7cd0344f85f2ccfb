package simdisk

import "unsafe"

// SQLite hands over addresses of its own memory, which Go neither moves nor frees.

// at is what stands at an address.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// bytesAt are the bytes at an address.
func bytesAt(address uintptr, n int) []byte { return unsafe.Slice(at[byte](address), n) }

// function is the address by which SQLite calls a function of this package. It lasts, as that of every
// function that has a name.
func function(f any) uintptr {
	type words struct{ of, data uintptr }
	return (*words)(unsafe.Pointer(&f)).data
}
