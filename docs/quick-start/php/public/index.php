<?php
require __DIR__ . '/../shop.php';

// the order is in the database before its token is sent to the page
$order = ['jti' => bin2hex(random_bytes(8)), 'amount' => '19.90', 'currency' => 'USD'];
database()->prepare('insert into orders values (?, ?, ?, null)')->execute(array_values($order));
$key = ['kid' => 'k1', 'secret' => secret('order-token-key')];
$claims = $order + ['product_name' => 'T-shirt', 'customer_ref_id' => 'c-42'];
$token = PayCheckout\sign_order_token($claims, RELAY, $key);
header('cache-control: no-store'); // a token is for one order
?>
<!doctype html>
<meta charset="utf-8">
<title>My shop</title>
<link rel="icon" href="data:,">
<script src="<?= RELAY ?>/pay-checkout.js" defer></script>
<pay-checkout order-token="<?= $token ?>"></pay-checkout>
