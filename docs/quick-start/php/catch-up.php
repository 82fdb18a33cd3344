<?php
/** Handles the events that no webhook delivered; cron runs it every minute. */
require __DIR__ . '/shop.php';

$db = database();
$cursor = $db->query('select cursor from progress')->fetchColumn() ?: null;
$failures = 0;
do {
    $page = PayCheckout\list_events(RELAY, secret('secret-key'), $cursor);
    foreach ($page['events'] as $event) {
        try {
            handle($db, $event['id'], $event);
        } catch (Throwable $error) {
            $failures++;
            error_log("event {$event['id']}: {$error->getMessage()}");
        }
    }
    $cursor = $page['cursor'];
    // an event that could not be handled delays no other, and is read again
    if ($failures === 0) {
        $db->prepare('insert or replace into progress values (1, ?)')->execute([$cursor]);
    }
} while ($page['more']);
