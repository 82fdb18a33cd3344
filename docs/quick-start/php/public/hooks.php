<?php
// PHP that shows its errors would answer an error with 200, and the relay would not send it again
http_response_code(500);
require __DIR__ . '/../shop.php';

$headers = array_change_key_case(getallheaders());
$body = file_get_contents('php://input', false, null, 0, 65536); // no event is longer
if (!PayCheckout\is_genuine($headers, $body, secret('shop-events-secret'))) {
    http_response_code(401);
    exit;
}
handle(database(), $headers['webhook-id'], json_decode($body, true, 64, JSON_THROW_ON_ERROR));
http_response_code(204);
