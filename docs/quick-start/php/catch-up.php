<?php
/** Handles the events that no webhook delivered; cron runs it every minute. */
require __DIR__ . '/pay-checkout.php';

$db = database();
$cursor = $db->query('select cursor from progress')->fetchColumn();
do {
    $page = ask('/v1/events', $cursor === false ? [] : ['cursor' => $cursor]);
    foreach ($page['events'] as $event) {
        handle($db, $event['id'], $event);
    }
    $cursor = $page['cursor'];
    // only now: an event that could not be handled is read again
    $db->prepare('insert or replace into progress values (1, ?)')->execute([$cursor]);
} while ($page['more']);
