<?php
require __DIR__ . '/../shop.php';

$db = database();
$id = $_GET['order'] ?? null;
if (!is_string($id)) {
    // an order has an address of its own: a reload must not begin a second one
    $id = bin2hex(random_bytes(8));
    $insert = $db->prepare('insert into orders values (?, ?, ?, ?, null, null)');
    $insert->execute([$id, '19.90', 'USD', 'T-shirt']);
    header("location: ?order=$id", true, 303);
    exit;
}
// what the order was recorded with: the shop may sell it at another price or name since
$found = $db->prepare('select id as jti, amount, currency, product_name from orders where id = ?');
$found->execute([$id]);
$order = $found->fetch(PDO::FETCH_ASSOC);
if ($order === false) {
    http_response_code(404);
    exit;
}
$key = ['kid' => 'k1', 'secret' => secret('order-token-key')];
$claims = $order + ['customer_ref_id' => 'c-42'];
$token = PayCheckout\sign_order_token($claims, RELAY, $key);
header('cache-control: no-store'); // a token is for one order
?>
<!doctype html>
<meta charset="utf-8">
<title>My shop</title>
<link rel="icon" href="data:,">
<script src="<?= RELAY ?>/pay-checkout.js" defer></script>
<pay-checkout order-token="<?= $token ?>"></pay-checkout>
