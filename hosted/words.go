package hosted

import (
	"embed"
	"encoding/json"
	"net/http"
	"strings"

	"golang.org/x/text/language"
)

//go:embed lang/*.json
var languageFiles embed.FS

// words are the words of pages in one language: texts by key, in which {name}
// stands for a value.
type words struct {
	// Tag is the language for the lang attribute, Name its own name for itself.
	Tag, Name string
	texts     map[string]string
}

// languageTags are the languages there are, the default first. Each is a file of lang.
var languageTags = []string{"en", "pcm", "ha", "yo", "ig", "fr"}

// languages are the words of all languages, and what chooses among them.
type languages struct {
	all     []*words
	matcher language.Matcher
}

// loadLanguages reads the files that were compiled in.
func loadLanguages() languages {
	var l languages
	var tags []language.Tag
	for _, tag := range languageTags {
		body, err := languageFiles.ReadFile("lang/" + tag + ".json")
		if err != nil {
			panic(err)
		}
		w := &words{Tag: tag}
		if err := json.Unmarshal(body, &w.texts); err != nil {
			panic(tag + ": " + err.Error())
		}
		w.Name = w.texts["language"]
		l.all, tags = append(l.all, w), append(tags, language.MustParse(tag))
	}
	l.matcher = language.NewMatcher(tags)
	return l
}

// of returns the language that a request asks for, by ?lang= or by what the browser
// prefers, and whether the address names it.
func (l languages) of(r *http.Request) (_ *words, chosen bool) {
	asked := r.URL.Query().Get("lang")
	for _, w := range l.all {
		if w.Tag == asked {
			return w, true
		}
	}
	preferred, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		return l.all[0], false
	}
	_, at, sure := l.matcher.Match(preferred...)
	if sure == language.No {
		return l.all[0], false
	}
	return l.all[at], false
}

// Say returns the text of a key. The pairs are names and values of its placeholders. A
// missing key is returned as it is; a test checks that no key is missing.
func (w *words) Say(key string, pairs ...string) string {
	text, ok := w.texts[key]
	if !ok {
		return key
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
