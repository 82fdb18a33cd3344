<?php
/** Handles the events that no webhook delivered; cron runs it every minute. */
require __DIR__ . '/shop.php';

$db = database();
$cursor = $db->query('select cursor from progress')->fetchColumn();
do {
    $from = $cursor === false ? [] : ['cursor' => $cursor];
    $page = PayCheckout\ask(RELAY, secret('secret-key'), '/v1/events', $from);
    foreach ($page['events'] as $event) {
        handle($db, $event['id'], $event);
    }
    $cursor = $page['cursor'];
    // only now: an event that could not be handled is read again
    $db->prepare('insert or replace into progress values (1, ?)')->execute([$cursor]);
} while ($page['more']);
