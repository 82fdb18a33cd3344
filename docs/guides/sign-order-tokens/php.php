<?php
// composer require firebase/php-jwt
@include 'vendor/autoload.php';
@include 'Firebase/JWT/autoload.php'; // Debian: php-firebase-php-jwt

use Firebase\JWT\JWT;

$now = time();
$token = JWT::encode(
    [
        'jti' => 'order-10042', // your order's number: one number, one order
        'aud' => 'https://shop.example/pay', // public_url of the relay
        'iat' => $now,
        'exp' => $now + 3600, // 24 h at most
        'amount' => '19.90', // a decimal string, never a number
        'currency' => 'USD',
        'product_name' => 'T-shirt',
        'customer_ref_id' => 'customer-42',
    ],
    getenv('ORDER_TOKEN_KEY'),
    'HS256',
    'k1',
    ['typ' => 'pay-order+jwt']
);

echo $token, "\n";
