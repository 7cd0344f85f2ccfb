package inspect

import (
	"io"
	"net/http"
)

// teeBody is a request's body of which a copy is kept.
type teeBody struct {
	io.ReadCloser
	to *head
}

func (b teeBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	_, _ = b.to.Write(p[:n])
	return n, err
}

// listener keeps the status and the beginning of an answer.
type listener struct {
	http.ResponseWriter
	status int
	body   head
}

func (l *listener) WriteHeader(status int) {
	if l.status == 0 && status >= 200 {
		l.status = status
	}
	l.ResponseWriter.WriteHeader(status)
}

func (l *listener) Write(p []byte) (int, error) {
	if l.status == 0 {
		l.status = http.StatusOK
	}
	_, _ = l.body.Write(p)
	return l.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find the connection.
func (l *listener) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// bad is the status of an answer that failed, or 0.
func (l *listener) bad() int {
	if l.status >= 400 {
		return l.status
	}
	return 0
}
