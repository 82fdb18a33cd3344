<?php
/** This shop: its relay, its secrets, its tables, and what a paid order means. */

require __DIR__ . '/pay-checkout.php';

const RELAY = 'http://localhost:8787'; // public_url of the relay
const IS_LIVE = false; // true where goods are delivered: then an event of mode test pays nothing

function secret(string $name): string
{
    // the file may end with a line break, which is no part of the secret
    return trim(file_get_contents(__DIR__ . "/secrets/$name"));
}

function database(): PDO
{
    $db = new PDO('sqlite:' . __DIR__ . '/shop.db', null, null, [PDO::ATTR_TIMEOUT => 5]);
    $db->exec(PayCheckout\EVENTS_TABLE . ';
        create table if not exists orders
            (id text primary key, amount text, currency text, product_name text,
                paid_at text, paid_by text);
        create table if not exists progress (id integer primary key, cursor text)');
    return $db;
}

/** Handles an event once, however it came. */
function handle(PDO $db, string $id, array $event): void
{
    PayCheckout\receive_once($db, $id, $event, function (PDO $db, array $event): void {
        $data = $event['data'];
        if (IS_LIVE && !$data['livemode']) {
            return;
        }
        // the payment that the shop delivers for; a restored relay may call another one the first
        $found = $db->prepare('select paid_by from orders where id = ?');
        $found->execute([$data['intent_id']]);
        $paid_by = $found->fetchColumn() ?: null;
        if (PayCheckout\needs_refund($event, $paid_by)) {
            // a person must pay it back: the order service has no refund
            error_log("pay back {$data['request_id']} of {$data['intent_id']}");
            return;
        }
        if ($event['type'] !== 'order.succeeded' || $paid_by) {
            return;
        }
        $paid = $db->prepare('update orders set paid_at = ?, paid_by = ?
            where id = ? and amount = ? and currency = ? and paid_by is null');
        $sale = [$data['intent_id'], $data['amount'], $data['currency']];
        $paid->execute([$event['timestamp'], $data['request_id'], ...$sale]);
        // a person must look: it is paid, and the shop knows no such order
        if ($paid->rowCount() === 0) {
            error_log("no open order {$data['intent_id']} of {$data['amount']} {$data['currency']}");
        }
    });
}
