<?php
/**
 * Tells whether an event comes from the relay.
 *
 * @param array $headers with names in lower case: array_change_key_case(getallheaders())
 * @param string $body the raw body: file_get_contents('php://input')
 * @param string $secret the text of shop_events.secret; after `whsec_` it is base64
 */
function is_genuine(array $headers, string $body, string $secret): bool
{
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : $secret;
    if (!$key) {
        throw new InvalidArgumentException('the secret is empty or not base64');
    }
    $id = $headers['webhook-id'] ?? '';
    $at = $headers['webhook-timestamp'] ?? '';
    if (!preg_match('/^\d{1,12}$/D', $at) || abs(time() - (int) $at) > 300) {
        return false;
    }
    $own = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($own, $signature)) {
            return true;
        }
    }
    return false;
}
