package main

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
)

// plainValues make the parser say in plain words which value a flag takes.
func plainValues() []kong.Option {
	return []kong.Option{
		kong.KindMapper(reflect.Uint64, reader("whole number from 0 on", func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) })),
		kong.KindMapper(reflect.Int, reader("whole number", strconv.Atoi)),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), reader("duration: write it as 10s or 1m", time.ParseDuration)),
	}
}

// reader reads a value from its text. A text that cannot be read is no such thing.
func reader[T any](thing string, parse func(string) (T, error)) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto(thing, &text); err != nil {
			return err
		}
		value, err := parse(text)
		if err != nil {
			return fmt.Errorf("%q is no %s", text, thing)
		}
		target.Set(reflect.ValueOf(value).Convert(target.Type()))
		return nil
	}
}
