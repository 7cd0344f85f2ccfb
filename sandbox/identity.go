package sandbox

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry/provider/kyc"
)

// portrait is a picture of one grey point, as PNG in base64.
const portrait = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR4nGJqAAQAAP//AIYAg0yeIEsAAAAASUVORK5CYII="

var (
	womensNames = []string{"Adaeze", "Aisha", "Folake", "Halima", "Ifeoma", "Ngozi", "Yetunde", "Zainab"}
	mensNames   = []string{"Babatunde", "Chinedu", "Emeka", "Ibrahim", "Musa", "Obinna", "Segun", "Tunde"}
	middleNames = []string{"Amara", "Bola", "Chidi", "Danjuma", "Efe", "Ire", "Kemi", "Nnamdi"}
	lastNames   = []string{"Abubakar", "Adeyemi", "Balogun", "Bello", "Eze", "Nwosu", "Okafor", "Okonkwo"}
	trades      = []string{"Foods", "Logistics", "Textiles", "Energy", "Studios", "Farms", "Motors", "Pharmacy"}
	homes       = []struct{ state, lga string }{
		{"Lagos", "Ikeja"}, {"Kano", "Nassarawa"}, {"Oyo", "Ibadan North"}, {"Rivers", "Obio/Akpor"},
		{"Enugu", "Nsukka"}, {"Kaduna", "Zaria"}, {"Anambra", "Awka South"}, {"Edo", "Oredo"},
	}
	maritalStates = []string{"Single", "Married"}
)

// identityOf makes up the identity behind a number. It follows from the number
// alone, so every world knows the same people.
func identityOf(t kyc.Type, number string) kyc.Identity {
	d := dice(sha256.Sum256([]byte(string(t) + number)))
	if t == kyc.CAC {
		return kyc.Identity{
			Type: t, Number: number,
			BusinessName:     from(d, 0, lastNames) + " " + from(d, 1, trades) + " Limited",
			RegistrationDate: d.date(2, 1995, 25),
			PhoneNumber1:     d.phone(5),
			Email:            "office@" + strings.ToLower(from(d, 0, lastNames)) + ".example",
		}
	}
	return person(d, t, number)
}

func person(d dice, t kyc.Type, number string) kyc.Identity {
	gender, names := "Female", womensNames
	if d[0]%2 == 1 {
		gender, names = "Male", mensNames
	}
	first, last, home := from(d, 1, names), from(d, 3, lastNames), from(d, 4, homes)
	id := kyc.Identity{
		Type: t, Number: number,
		FirstName: first, MiddleName: from(d, 2, middleNames), LastName: last,
		DateOfBirth:  d.date(5, 1955, 45),
		PhoneNumber1: d.phone(8), Gender: gender,
		Email:         strings.ToLower(first + "." + last + "@mail.example"),
		MaritalStatus: from(d, 16, maritalStates),
		LGAOfOrigin:   home.lga, StateOfOrigin: home.state,
		LevelOfAccount: "Level 2", RegistrationDate: d.date(17, 2014, 10),
		ImageBase64: portrait,
	}
	if t == kyc.BVN {
		id.BVN = number
	} else {
		id.NIN = number
	}
	return id
}

// dice are bytes that decide.
type dice [sha256.Size]byte

func from[T any](d dice, at int, values []T) T { return values[int(d[at])%len(values)] }

// date uses three bytes and days that every month has.
func (d dice) date(at, firstYear, years int) string {
	return fmt.Sprintf("%04d-%02d-%02d", firstYear+int(d[at])%years, 1+d[at+1]%12, 1+d[at+2]%28)
}

// phone uses eight bytes.
func (d dice) phone(at int) string {
	number := []byte("080")
	for _, b := range d[at : at+8] {
		number = append(number, '0'+b%10)
	}
	return string(number)
}
