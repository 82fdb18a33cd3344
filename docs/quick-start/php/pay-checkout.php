<?php
/** What a shop in PHP needs: it signs tokens, checks events, and handles each event once. */

const RELAY = 'http://localhost:8787'; // public_url of the relay

function secret(string $name): string
{
    // the file may end with a line break, which is no part of the secret
    return trim(file_get_contents(__DIR__ . "/secrets/$name"));
}

function database(): PDO
{
    $db = new PDO('sqlite:' . __DIR__ . '/shop.db', null, null, [PDO::ATTR_TIMEOUT => 5]);
    $db->exec('create table if not exists orders
            (id text primary key, amount text, currency text, paid_at text);
        create table if not exists events (id text primary key);
        create table if not exists progress (id integer primary key, cursor text)');
    return $db;
}

/** @param array $order jti, amount, currency, product_name and customer_ref_id */
function order_token(array $order): string
{
    $part = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $json = fn (array $value) => $part(json_encode($value, JSON_THROW_ON_ERROR));
    $now = time(); // exp is at most 24 h later
    $claims = $order + ['aud' => RELAY, 'iat' => $now, 'exp' => $now + 3600];
    $text = $json(['alg' => 'HS256', 'typ' => 'pay-order+jwt', 'kid' => 'k1']) . '.' . $json($claims);
    return $text . '.' . $part(hash_hmac('sha256', $text, secret('order-token-key'), true));
}

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

/** Handles an event in one transaction with the row that remembers it: once, however it came. */
function handle(PDO $db, string $id, array $event): void
{
    $db->beginTransaction();
    $new = $db->prepare('insert or ignore into events values (?)');
    $new->execute([$id]);
    if ($new->rowCount() === 1 && $event['type'] === 'order.succeeded') {
        $data = $event['data'];
        $db->prepare('update orders set paid_at = ?
            where id = ? and amount = ? and currency = ? and paid_at is null')
            ->execute([$event['timestamp'], $data['intent_id'], $data['amount'], $data['currency']]);
    }
    $db->commit();
}

/** @return array the relay's answer to the shop's backend */
function ask(string $path, array $body): array
{
    $answer = @file_get_contents(RELAY . $path, false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => "content-type: application/json\r\nauthorization: Bearer " . secret('secret-key'),
        'content' => json_encode((object) $body, JSON_THROW_ON_ERROR),
        'timeout' => 30,
    ]]));
    if ($answer === false) {
        throw new RuntimeException('the relay does not answer ' . $path);
    }
    return json_decode($answer, true, 64, JSON_THROW_ON_ERROR);
}
