<?php
$part = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
$now = time();
$head = ['alg' => 'HS256', 'typ' => 'pay-order+jwt', 'kid' => 'k1'];
$claims = [
    'jti' => 'order-10042', // your order's number: one number, one order
    'aud' => 'https://shop.example/pay', // public_url of the relay
    'iat' => $now,
    'exp' => $now + 3600, // 24 h at most
    'amount' => '19.90', // a decimal string, never a number
    'currency' => 'USD',
    'product_name' => 'T-shirt',
    'customer_ref_id' => 'customer-42',
];
$text = $part(json_encode($head)) . '.' . $part(json_encode($claims, JSON_THROW_ON_ERROR));
$key = trim(getenv('ORDER_TOKEN_KEY')); // the text itself, not the bytes that it may stand for
echo $text, '.', $part(hash_hmac('sha256', $text, $key, true)), "\n";
