<?php
/** Handles the events that no webhook delivered; cron runs it every minute. */
require __DIR__ . '/shop.php';

$db = database();
$cursor = $db->query('select cursor from progress')->fetchColumn() ?: null;
$failures = 0;
$current = null;
// a handler that ends the process must not pass for one that has handled the event
register_shutdown_function(function () use (&$current): void {
    if ($current !== null) {
        error_log("event $current: its handler ended the process");
        exit(1);
    }
});
do {
    $page = PayCheckout\list_events(RELAY, secret('secret-key'), $cursor);
    foreach ($page['events'] as $event) {
        $current = $event['id'];
        try {
            handle($db, $event['id'], $event);
        } catch (Throwable $error) {
            $failures++;
            error_log("event {$event['id']}: {$error->getMessage()}");
        }
        $current = null;
    }
    $cursor = $page['cursor'];
    // an event that could not be handled delays no other, and is read again
    if ($failures === 0) {
        $db->prepare('insert or replace into progress values (1, ?)')->execute([$cursor]);
    }
} while ($page['more']);
exit($failures === 0 ? 0 : 1);
