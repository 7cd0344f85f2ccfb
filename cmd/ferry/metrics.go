package main

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/server"
)

// metrics counts what the server does, for GET /metrics.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	engine   *engine.Engine
	chains   realChains
}

// newMetrics counts what an engine does, and asks its real chains when they are read.
func newMetrics(e *engine.Engine, chains realChains) *metrics {
	return &metrics{
		engine: e, chains: chains,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ferry_http_requests_total",
			Help: "Requests answered, by method, route and status.",
		}, []string{"method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ferry_http_request_seconds",
			Help:    "Time to answer a request, by method and route.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 9),
		}, []string{"method", "route"}),
	}
}

// collectors are where the figures come from.
func (m *metrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{
		m.requests, m.duration, workCollector{m.engine}, &chainCollector{chains: m.chains},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	}
}

// page answers with the figures.
func (m *metrics) page() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.collectors()...)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// count is an observer of requests.
func (m *metrics) count(_ context.Context, e server.Exchange) {
	method, route := knownMethod(e.Method), cmp.Or(e.Route, other)
	m.requests.WithLabelValues(method, route, strconv.Itoa(e.Status)).Inc()
	m.duration.WithLabelValues(method, route).Observe(e.Took.Seconds())
}

// observed counts the requests to a handler, and logs them when that is asked for.
func observed(next http.Handler, m *metrics, log bool, logger *slog.Logger) http.Handler {
	if log {
		return server.Observe(next, m.count, server.LogRequests(logger))
	}
	return server.Observe(next, m.count)
}

// other is the label of what has no name of its own, such as a path that no route serves. Routes are patterns of
// the server, so strangers cannot make new ones.
const other = "other"

// knownMethod keeps strangers from making labels without end.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return other
}

// workCollector reads the engine's backlog when it is asked.
type workCollector struct{ engine *engine.Engine }

var (
	lagDesc = prometheus.NewDesc("ferry_queue_lag_seconds",
		"How long the oldest due work of a queue has waited.", []string{"queue", "environment"}, nil)
	passesDesc = prometheus.NewDesc("ferry_worker_done_total",
		"Pieces of work done, by worker.", []string{"worker"}, nil)
	heldDesc = prometheus.NewDesc("ferry_held",
		"1 while no money leaves an environment, by a hold or by the operator's stop.", []string{"environment"}, nil)
	differsDesc = prometheus.NewDesc("ferry_reconcile_findings",
		"Differences between the books and the outside world, when this process last compared them.", []string{"environment", "part"}, nil)
	waitingDesc = prometheus.NewDesc("ferry_transfers_waiting",
		"Transfers on the chain that are not signed yet, by reason. At most 1,000 are counted.", []string{"environment", "reason"}, nil)
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
	ch <- waitingDesc
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
		ch <- prometheus.MustNewConstMetric(heldDesc, prometheus.GaugeValue, oneIf(h.InForce()), string(h.Env))
	}
	for _, r := range stats.Reconciled {
		ch <- prometheus.MustNewConstMetric(differsDesc, prometheus.GaugeValue, float64(r.Findings), string(r.Env), r.Part)
	}
	for _, w := range stats.Waiting {
		ch <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, float64(w.Transfers), string(w.Env), string(w.Reason))
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
