package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// isGenuine tells whether an event comes from the relay. body is the raw body of the request,
// secret the text of shop_events.secret; after "whsec_" it is base64.
func isGenuine(header http.Header, body []byte, secret string) (bool, error) {
	secret = strings.TrimSpace(secret)
	key := []byte(secret)
	if strings.HasPrefix(secret, "whsec_") {
		decoded, err := base64.StdEncoding.DecodeString(secret[len("whsec_"):])
		if err != nil {
			return false, errors.New("the secret is not base64 after whsec_")
		}
		key = decoded
	}
	if len(key) == 0 {
		return false, errors.New("the secret is empty")
	}
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if age := time.Now().Unix() - seconds; err != nil || age > 300 || age < -300 {
		return false, nil
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "."))
	mac.Write(body)
	own := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal(own, []byte(signature)) {
			return true, nil
		}
	}
	return false, nil
}
