// go get github.com/golang-jwt/jwt/v5
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func main() {
	now := time.Now().Unix()
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"jti":             "order-10042",              // your order's number: one number, one order
		"aud":             "https://shop.example/pay", // public_url of the relay
		"iat":             now,
		"exp":             now + 3600, // 24 h at most
		"amount":          "19.90",    // a decimal string, never a number
		"currency":        "USD",
		"product_name":    "T-shirt",
		"customer_ref_id": "customer-42",
	})
	token.Header["typ"] = "pay-order+jwt"
	token.Header["kid"] = "k1"

	signed, err := token.SignedString([]byte(os.Getenv("ORDER_TOKEN_KEY")))
	if err != nil {
		panic(err)
	}
	fmt.Println(signed)
}
