package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry/money"
)

type textValue[T ~string] struct{ at *T }

func (v textValue[T]) Plain() (any, error) { return string(*v.at), nil }
func (v textValue[T]) Place() any          { return v.at }
func (v textValue[T]) Key() (string, bool) { return string(*v.at), true }
func (v textValue[T]) Copy(from Value)     { *v.at = *from.(textValue[T]).at }

type wordValue[T ~string] struct {
	textValue[T]
	words []T
}

// worded is a value that is one of some words.
type worded interface {
	Value
	fits() bool
}

func (v wordValue[T]) fits() bool      { return slices.Contains(v.words, *v.at) }
func (v wordValue[T]) Copy(from Value) { *v.at = *from.(wordValue[T]).at }

type optionalValue[T ~string] struct{ at *T }

func (v optionalValue[T]) Key() (string, bool) { return string(*v.at), *v.at != "" }
func (v optionalValue[T]) Copy(from Value)     { *v.at = *from.(optionalValue[T]).at }
func (v optionalValue[T]) Place() any          { return v }

func (v optionalValue[T]) Plain() (any, error) {
	if *v.at == "" {
		return nil, nil
	}
	return string(*v.at), nil
}

func (v optionalValue[T]) Scan(stored any) error {
	text, _, err := scanText(stored)
	*v.at = T(text)
	return err
}

// scanText returns a stored text, and false for NULL.
func scanText(stored any) (text string, some bool, err error) {
	switch stored := stored.(type) {
	case nil:
		return "", false, nil
	case string:
		return stored, true, nil
	case []byte:
		return string(stored), true, nil
	}
	return "", false, fmt.Errorf("records: %T is no text", stored)
}

type intValue[T ~int | ~int64] struct{ at *T }

func (v intValue[T]) Plain() (any, error) { return int64(*v.at), nil }
func (v intValue[T]) Place() any          { return v.at }
func (v intValue[T]) Key() (string, bool) { return strconv.FormatInt(int64(*v.at), 10), true }
func (v intValue[T]) Copy(from Value)     { *v.at = *from.(intValue[T]).at }

type uintValue struct{ at *uint64 }

func (v uintValue) Place() any          { return v }
func (v uintValue) Key() (string, bool) { return strconv.FormatUint(*v.at, 10), true }
func (v uintValue) Copy(from Value)     { *v.at = *from.(uintValue).at }

func (v uintValue) Plain() (any, error) {
	if *v.at > math.MaxInt64 {
		return nil, fmt.Errorf("records: no column has room for %d", *v.at)
	}
	return int64(*v.at), nil
}

func (v uintValue) Scan(stored any) error {
	number, ok := stored.(int64)
	if !ok || number < 0 {
		return fmt.Errorf("records: %v is no integer that is not negative", stored)
	}
	*v.at = uint64(number)
	return nil
}

type boolValue struct{ at *bool }

func (v boolValue) Plain() (any, error) { return *v.at, nil }
func (v boolValue) Place() any          { return v.at }
func (v boolValue) Key() (string, bool) { return strconv.FormatBool(*v.at), true }
func (v boolValue) Copy(from Value)     { *v.at = *from.(boolValue).at }

type bytesValue struct{ at *[]byte }

func (v bytesValue) Place() any          { return v.at }
func (v bytesValue) Key() (string, bool) { return string(*v.at), *v.at != nil }
func (v bytesValue) Copy(from Value)     { *v.at = bytes.Clone(*from.(bytesValue).at) }

func (v bytesValue) Plain() (any, error) {
	if *v.at == nil {
		return nil, nil
	}
	return *v.at, nil
}

type blobValue[T ~string] struct{ optionalValue[T] }

func (v blobValue[T]) Copy(from Value) { *v.at = *from.(blobValue[T]).at }

func (v blobValue[T]) Plain() (any, error) {
	if *v.at == "" {
		return nil, nil
	}
	return []byte(*v.at), nil
}

type timeValue struct{ at *time.Time }

func (v timeValue) Place() any      { return v }
func (v timeValue) Copy(from Value) { *v.at = *from.(timeValue).at }

func (v timeValue) Key() (string, bool) {
	return strconv.FormatInt(v.at.UnixMicro(), 10), !v.at.IsZero()
}

func (v timeValue) Plain() (any, error) {
	if v.at.IsZero() {
		return nil, nil
	}
	return v.at.UnixMicro(), nil
}

func (v timeValue) Scan(stored any) error {
	*v.at = time.Time{}
	if stored == nil {
		return nil
	}
	micro, ok := stored.(int64)
	if !ok {
		return fmt.Errorf("records: %T is no instant", stored)
	}
	*v.at = time.UnixMicro(micro).UTC()
	return nil
}

type documentValue[T any] struct{ at *T }

// emptyObject is the JSON of a map without entries, as most metadata is.
const emptyObject = "{}"

func (v documentValue[T]) Place() any      { return v }
func (v documentValue[T]) Copy(from Value) { *v.at = *from.(documentValue[T]).at }

func (v documentValue[T]) Key() (string, bool) {
	stored, err := v.Plain()
	key, some := stored.(string)
	return key, some && err == nil
}

func (v documentValue[T]) Plain() (any, error) {
	switch of := reflect.ValueOf(v.at).Elem(); of.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer:
		if of.IsNil() {
			return nil, nil
		}
		if of.Kind() == reflect.Map && of.Len() == 0 {
			return emptyObject, nil
		}
	}
	text, err := json.Marshal(v.at)
	return string(text), err
}

func (v documentValue[T]) Scan(stored any) error {
	var none T
	*v.at = none
	text, some, err := scanText(stored)
	if err != nil || !some {
		return err
	}
	if of := reflect.ValueOf(v.at).Elem(); text == emptyObject && of.Kind() == reflect.Map {
		of.Set(reflect.MakeMap(of.Type()))
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(v.at)
}

type assetValue struct{ at *money.Asset }

func (v assetValue) Plain() (any, error) { return v.at.String(), nil }
func (v assetValue) Place() any          { return v }
func (v assetValue) Key() (string, bool) { return v.at.String(), true }
func (v assetValue) Copy(from Value)     { *v.at = *from.(assetValue).at }

func (v assetValue) Scan(stored any) error {
	code, _, err := scanText(stored)
	if err != nil {
		return err
	}
	*v.at, err = money.ParseAsset(code)
	return err
}

type amountValue struct {
	at    *money.Amount
	asset money.Asset
}

func (v amountValue) Plain() (any, error) { return v.at.Minor(), nil }
func (v amountValue) Place() any          { return v }
func (v amountValue) Key() (string, bool) { return strconv.FormatInt(v.at.Minor(), 10), true }
func (v amountValue) Copy(from Value)     { *v.at = *from.(amountValue).at }

func (v amountValue) Scan(stored any) error { return scanAmount(v.at, v.asset, stored) }

func scanAmount(at *money.Amount, asset money.Asset, stored any) error {
	minor, ok := stored.(int64)
	if !ok {
		return fmt.Errorf("records: %T is no amount", stored)
	}
	*at = money.Of(asset, minor)
	return nil
}

// moneyValue is an amount of any asset; its two columns are read one after the other.
type moneyValue struct {
	at    *money.Amount
	asset money.Asset // while it is read
}

// code is the asset's, or empty.
func (v *moneyValue) code() string {
	if v.at.Asset() == 0 {
		return ""
	}
	return v.at.Asset().String()
}

type (
	moneyAsset struct{ *moneyValue }
	moneyMinor struct{ *moneyValue }
)

func (v moneyAsset) Plain() (any, error) { return v.code(), nil }
func (v moneyAsset) Place() any          { return v }
func (v moneyAsset) Key() (string, bool) { return v.code(), true }
func (v moneyAsset) Copy(from Value)     { *v.at = *from.(moneyAsset).at }

// Scan reads the code of the asset. Its column comes before that of the amount.
func (v moneyAsset) Scan(stored any) error {
	v.asset = 0
	code, _, err := scanText(stored)
	if err != nil || code == "" {
		return err
	}
	v.asset, err = money.ParseAsset(code)
	return err
}

func (v moneyMinor) Plain() (any, error)   { return v.at.Minor(), nil }
func (v moneyMinor) Place() any            { return v }
func (v moneyMinor) Key() (string, bool)   { return strconv.FormatInt(v.at.Minor(), 10), true }
func (v moneyMinor) Copy(from Value)       { *v.at = *from.(moneyMinor).at }
func (v moneyMinor) Scan(stored any) error { return scanAmount(v.at, v.asset, stored) }

type madeValue func() string

func (v madeValue) Plain() (any, error) { return v(), nil }
func (v madeValue) Place() any          { return v }
func (v madeValue) Key() (string, bool) { return v(), true }
func (v madeValue) Copy(Value)          {}
func (v madeValue) Scan(any) error      { return nil }

type foldedValue struct {
	at   *string
	fold func(string) string
}

func (v foldedValue) Plain() (any, error) { return v.fold(*v.at), nil }
func (v foldedValue) Place() any          { return v }
func (v foldedValue) Key() (string, bool) { return v.fold(*v.at), true }
func (v foldedValue) Copy(from Value)     { *v.at = *from.(foldedValue).at }
func (v foldedValue) Scan(any) error      { return nil }

// MarkedValue is a text with a flag in one column: see Marked.
type MarkedValue struct {
	at   *string
	flag *bool
	mark string
}

// Mark is what stands before a text whose flag is set.
func (v MarkedValue) Mark() string { return v.mark }

// Key returns the text with its mark.
func (v MarkedValue) Key() (string, bool) {
	if *v.flag {
		return v.mark + *v.at, true
	}
	return *v.at, true
}

// Plain returns the text with its mark.
func (v MarkedValue) Plain() (any, error) {
	text, _ := v.Key()
	return text, nil
}

// Place returns v.
func (v MarkedValue) Place() any { return v }

// Copy takes over text and flag.
func (v MarkedValue) Copy(from Value) {
	of := from.(MarkedValue)
	*v.at, *v.flag = *of.at, *of.flag
}

// Scan reads the text and its mark.
func (v MarkedValue) Scan(stored any) error {
	text, _, err := scanText(stored)
	*v.at, *v.flag = strings.CutPrefix(text, v.mark)
	return err
}
