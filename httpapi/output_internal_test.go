package httpapi

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
)

func TestAnswersAreWrittenAsTheStandardLibraryWritesThem(t *testing.T) {
	types := map[reflect.Type]bool{reflect.TypeFor[success](): true, reflect.TypeFor[failure](): true}
	for _, r := range (&api{}).routes() {
		s := r.shape()
		for _, of := range []reflect.Type{s.one, s.row, s.beside} {
			types[of] = of != nil
		}
	}
	f := filling{rand.New(rand.NewPCG(1, 2))}
	for of, is := range types {
		for range 200 {
			if !is {
				break
			}
			one := reflect.New(of).Elem()
			f.fill(one)
			requireAsTheLibrary(t, one.Interface())
			list := reflect.MakeSlice(reflect.SliceOf(of), 2, 2)
			f.fill(list.Index(0))
			requireAsTheLibrary(t, success{Message: f.text(), Data: list.Interface()})
		}
	}
}

func requireAsTheLibrary(t *testing.T, v any) {
	t.Helper()
	var want strings.Builder
	library := json.NewEncoder(&want)
	library.SetEscapeHTML(false)
	require.NoError(t, library.Encode(v))
	body, err := encode(v, nil)
	require.NoError(t, err)
	require.Equal(t, strings.TrimSuffix(want.String(), "\n"), body, "%T", v)
}

// filling fills values at random, and leaves some empty.
type filling struct{ *rand.Rand }

func (f filling) text() string {
	pieces := []string{"a", "Adé", "<&>", `"`, `\`, "\n", "\x00", "\x7f", "\u2028", "\u2029", "🎉", "\xff", "\xc3"}
	var text strings.Builder
	for range f.IntN(4) {
		text.WriteString(pieces[f.IntN(len(pieces))])
	}
	return text.String()
}

func (f filling) fill(v reflect.Value) {
	event := v.Type() == reflect.TypeFor[eventBody]() // is never empty
	if !v.CanSet() || !event && f.IntN(4) == 0 {
		return
	}
	amount := reflect.ValueOf(money.USDC(f.Int64N(1e9) - 5e8))
	at := reflect.ValueOf(time.UnixMilli(f.Int64N(4e12)))
	switch of := v.Type(); {
	case amount.CanConvert(of):
		v.Set(amount.Convert(of))
		return
	case at.CanConvert(of):
		v.Set(at.Convert(of))
		return
	case of == reflect.TypeFor[json.Number]():
		v.SetString("12.50")
		return
	case event:
		v.SetBytes([]byte(`{"id":"evt_1"}`))
		return
	}
	f.fillKind(v)
}

func (f filling) fillKind(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int64() - 1<<62)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.IntN(3), 3))
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range f.IntN(3) {
			element := reflect.New(v.Type().Elem()).Elem()
			f.fill(element)
			v.SetMapIndex(reflect.ValueOf(f.text()).Convert(v.Type().Key()), element)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf([]any{f.text(), json.Number("1e5"), true, []fieldDetail{{f.text(), "x"}}}[f.IntN(4)]))
	default:
		panic("no values of " + v.Type().String())
	}
}
