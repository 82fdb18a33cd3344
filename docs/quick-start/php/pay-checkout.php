<?php
/**
 * A shop's side of pay-checkout in PHP 8.1 or newer, without a library: it signs order tokens, asks
 * the relay, checks events, and handles each event once. Copy it unchanged.
 */

namespace PayCheckout;

/** The shop executes this once, where it creates its other tables. */
const EVENTS_TABLE =
    'create table if not exists pay_checkout_events (event_id varchar(100) primary key)';

/**
 * @param array $order jti, amount, currency, product_name, customer_ref_id and other claims
 * @param string $relay public_url of the relay
 * @param array $key kid and secret, as in order_token_keys of the relay
 * @param int $expires_in seconds; at most 24 hours
 */
function sign_order_token(array $order, string $relay, array $key, int $expires_in = 3600): string
{
    $secret = trim($key['secret']); // a file often ends with a line break
    if (!is_string($order['amount'] ?? null) || $secret === '') {
        throw new \InvalidArgumentException('the amount must be a string, and the secret not empty');
    }
    $part = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $json = fn (array $value) => $part(json_encode($value, JSON_THROW_ON_ERROR));
    $claims = $order + ['aud' => $relay, 'iat' => time(), 'exp' => time() + $expires_in];
    $head = ['alg' => 'HS256', 'typ' => 'pay-order+jwt', 'kid' => $key['kid']];
    $text = $json($head) . '.' . $json($claims);
    return $text . '.' . $part(hash_hmac('sha256', $text, $secret, true));
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
    $secret = trim($secret);
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : $secret;
    if (!$key) {
        throw new \InvalidArgumentException('the secret is empty or not base64');
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

/**
 * Tells whether an event is of a payment that has to be paid back. When the relay's ledger was
 * restored from a backup, the relay may call another order of the intent the first one than before,
 * so the shop's own record decides. A payment of an order that a person has resolved as failed has to
 * be paid back too; look first whether that person has done it.
 *
 * @param ?string $delivered_for the request_id that the shop has delivered for; null when it has not
 */
function needs_refund(array $event, ?string $delivered_for = null): bool
{
    ['type' => $type, 'data' => $data] = $event;
    $payments = ['order.succeeded', 'order.late_payment', 'order.duplicate_payment'];
    if (!in_array($type, $payments, true) || $data['request_id'] === $delivered_for) {
        return false;
    }
    $is_failed = ($data['resolved_as'] ?? null) === 'failed';
    return $type !== 'order.succeeded' || $delivered_for !== null || $is_failed;
}

/**
 * Handles an event in one transaction with the row that remembers it. When $handle throws, nothing
 * is written, and the event can be handled again.
 *
 * @param \PDO $db SQLite, PostgreSQL or MariaDB; with EVENTS_TABLE
 * @param callable $handle takes the connection and the event; it must not end the transaction
 * @return bool false when the event was handled before
 */
function receive_once(\PDO $db, string $id, array $event, callable $handle): bool
{
    $insert = $db->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'mysql'
        ? 'insert ignore into pay_checkout_events (event_id) values (?)'
        : 'insert into pay_checkout_events (event_id) values (?) on conflict do nothing';
    $db->beginTransaction();
    try {
        $new = $db->prepare($insert);
        // PDO may be set not to throw, and a failed insert is no event that was handled before
        if (!$new || !$new->execute([$id])) {
            throw new \RuntimeException('the event could not be recorded');
        }
        $is_new = $new->rowCount() === 1;
        if ($is_new) {
            $handle($db, $event);
        }
        // After a failed statement PostgreSQL would roll back at the commit, without an error. After
        // a deadlock MariaDB has rolled back, and would commit only what was written since.
        $row = $db->prepare('select 1 from pay_checkout_events where event_id = ?');
        if (!$row || !$row->execute([$id]) || !$row->fetchAll() || !$db->commit()) {
            throw new \RuntimeException('the event could not be committed');
        }
        return $is_new;
    } catch (\Throwable $error) {
        if ($db->inTransaction()) {
            $db->rollBack();
        }
        throw $error;
    }
}

/**
 * Asks the relay, for example `/v1/query` with intent_id and expect.
 *
 * @param string $relay the address at which the backend reaches the relay
 * @return array the answer
 * @throws \RuntimeException with the code of a refusal, such as `order_unknown`
 */
function ask(string $relay, string $secret_key, string $path, array $body): array
{
    $stream = @fopen($relay . $path, 'r', false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => "content-type: application/json\r\nauthorization: Bearer $secret_key",
        'content' => json_encode((object) $body, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        'follow_location' => 0, // the key must not go to another host
        'ignore_errors' => true,
    ]]));
    $answer = $stream ? @stream_get_contents($stream) : false;
    if ($answer === false) {
        throw new \RuntimeException("no_answer: the relay does not answer $path");
    }
    $status = stream_get_meta_data($stream)['wrapper_data'][0] ?? '';
    $read = json_decode($answer, true, 64);
    // what stands before the relay may also answer with an object, for example “unavailable”
    if (!preg_match('~^HTTP/\S+ 200\b~', $status) || !is_array($read) || isset($read['error'])) {
        throw new \RuntimeException($read['error']['code'] ?? 'no_answer');
    }
    return $read;
}

/**
 * Lists the events after a cursor, at most one page of them.
 *
 * @param ?string $cursor null at the first time
 * @return array events, cursor, and more: whether there are further events
 */
function list_events(string $relay, string $secret_key, ?string $cursor): array
{
    $from = $cursor === null ? [] : ['cursor' => $cursor];
    $page = ask($relay, $secret_key, '/v1/events', $from);
    $is_list = is_array($page['events'] ?? null) && is_string($page['cursor'] ?? null);
    // with the same cursor again, a shop that reads all pages would never end
    if (!$is_list || (($page['more'] ?? null) && $page['cursor'] === $cursor)) {
        throw new \RuntimeException('the answer of the relay is not a list of events');
    }
    return $page;
}
