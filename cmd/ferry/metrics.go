package main

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ferrypay/ferry/engine"
)

// metrics counts what the server does, for GET /metrics.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newMetrics(e *engine.Engine) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ferry_http_requests_total",
			Help: "Requests answered, by method and status.",
		}, []string{"method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ferry_http_request_seconds",
			Help:    "Time to answer a request.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 9),
		}, []string{"method"}),
	}
	m.registry.MustRegister(m.requests, m.duration, workCollector{e})
	return m
}

// around answers GET /metrics and counts every other request on its way to next.
// It is no ServeMux, which would answer some paths by a redirect.
func (m *metrics) around(next http.Handler) http.Handler {
	page := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" && r.Method == http.MethodGet {
			page.ServeHTTP(w, r)
			return
		}
		begun := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(recorder, r)
		method := knownMethod(r.Method)
		m.requests.WithLabelValues(method, strconv.Itoa(recorder.status)).Inc()
		m.duration.WithLabelValues(method).Observe(time.Since(begun).Seconds())
	})
}

// knownMethod keeps strangers from making labels without end.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController find the connection.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// workCollector reads the engine's backlog when it is asked.
type workCollector struct{ engine *engine.Engine }

var (
	lagDesc = prometheus.NewDesc("ferry_queue_lag_seconds",
		"How long the oldest due work of a queue has waited.", []string{"queue", "environment"}, nil)
	passesDesc = prometheus.NewDesc("ferry_worker_done_total",
		"Pieces of work done, by worker.", []string{"worker"}, nil)
	heldDesc = prometheus.NewDesc("ferry_held",
		"1 while nothing leaves the addresses of an environment.", []string{"environment"}, nil)
	differsDesc = prometheus.NewDesc("ferry_reconcile_findings",
		"Differences between the books and the outside world, when this process last compared them.", []string{"environment", "part"}, nil)
	failuresDesc = prometheus.NewDesc("ferry_worker_failures_total",
		"Passes that failed, by worker.", []string{"worker"}, nil)
)

// Describe names the metrics.
func (workCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- lagDesc
	ch <- passesDesc
	ch <- failuresDesc
	ch <- heldDesc
	ch <- differsDesc
}

// Collect reads them.
func (c workCollector) Collect(ch chan<- prometheus.Metric) {
	stats, err := c.engine.Stats(context.Background())
	if err != nil {
		ch <- prometheus.NewInvalidMetric(lagDesc, err)
		return
	}
	for queue, lag := range stats.QueueLag {
		kind, env, _ := strings.Cut(string(queue), "/")
		ch <- prometheus.MustNewConstMetric(lagDesc, prometheus.GaugeValue, lag.Seconds(), kind, env)
	}
	for _, h := range stats.Holds {
		ch <- prometheus.MustNewConstMetric(heldDesc, prometheus.GaugeValue, oneIf(h.Held), string(h.Env))
	}
	for _, r := range stats.Reconciled {
		ch <- prometheus.MustNewConstMetric(differsDesc, prometheus.GaugeValue, float64(r.Findings), string(r.Env), r.Part)
	}
	for _, w := range stats.Workers {
		ch <- prometheus.MustNewConstMetric(passesDesc, prometheus.CounterValue, float64(w.Done), w.Name)
		ch <- prometheus.MustNewConstMetric(failuresDesc, prometheus.CounterValue, float64(w.Failures), w.Name)
	}
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}
