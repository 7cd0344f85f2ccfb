// Command checkout-shop is a shop that is paid through ferry's checkout pages. It
// takes FERRY_URL, FERRY_KEY and FERRY_WEBHOOK_SECRET from the environment, and where
// to listen from SHOP_ADDR. README.md beside it says how to run it.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal("checkout-shop: ", err)
	}
}

func run(ctx context.Context) error {
	listener, err := net.Listen("tcp", cmp.Or(os.Getenv("SHOP_ADDR"), "127.0.0.1:8091"))
	if err != nil {
		return err
	}
	shop, err := NewShop(ctx, Config{
		URL:           "http://" + listener.Addr().String(),
		FerryURL:      os.Getenv("FERRY_URL"),
		SecretKey:     os.Getenv("FERRY_KEY"),
		WebhookSecret: os.Getenv("FERRY_WEBHOOK_SECRET"),
		Ship:          func(order string) { fmt.Println("shipped", order) },
	})
	if err != nil {
		return err
	}
	fmt.Println("the shop is open at", shop.config.URL)
	server := &http.Server{Handler: shop.Handler(), ReadHeaderTimeout: 5 * time.Second}
	return server.Serve(listener)
}
