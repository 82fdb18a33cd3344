<?php
/** The two ways of an event to this shop: the relay delivers it, or it is read from the relay. */

namespace PayCheckout\WordPress;

/** No event is longer. */
const MAX_BODY_BYTES = 65536;
/** The option that holds where catch_up continues. */
const CURSOR = 'pay_checkout_cursor';
/** The option that holds the id of the event at which catch_up is. */
const TRIED = 'pay_checkout_tried';

function log_failure(string $what, \Throwable $error): void
{
    error_log("pay-checkout: $what: {$error->getMessage()}");
}

/** Answers a delivered event: 204, 401, 413, or 500, after which the relay tries again. */
function receive(\WP_REST_Request $request): \WP_REST_Response
{
    // when code of the shop ends the process, this is the answer
    status_header(500);
    $answer = fn (int $status) => new \WP_REST_Response(null, $status);
    $body = $request->get_body();
    if (strlen($body) > MAX_BODY_BYTES) {
        return $answer(413);
    }
    $id = (string) $request->get_header('webhook-id');
    $headers = ['webhook-id' => $id];
    foreach (['webhook-timestamp', 'webhook-signature'] as $name) {
        $headers[$name] = (string) $request->get_header($name);
    }
    try {
        stop_at(problems());
        if (!\PayCheckout\is_genuine($headers, $body, PAY_CHECKOUT_EVENTS_SECRET)) {
            return $answer(401);
        }
        handle_once($id, json_decode($body, true, 64, JSON_THROW_ON_ERROR));
        return $answer(204);
    } catch (\Throwable $error) {
        log_failure("event $id", $error);
        return $answer(500);
    }
}

/**
 * Handles the events that no delivery brought. An event that cannot be handled delays no other, and
 * the cursor stays before it, so that it is read again. When code of the shop ends the process, the
 * next run leaves that event out and handles the later ones.
 */
function catch_up(): void
{
    try {
        stop_at(problems());
        $ended_at = (array) get_option(TRIED, []);
        $cursor = get_option(CURSOR, null);
        $failures = 0;
        do {
            $page = \PayCheckout\list_events(
                PAY_CHECKOUT_RELAY,
                PAY_CHECKOUT_SECRET_KEY,
                $cursor
            );
            foreach ($page['events'] as $event) {
                $failures += handle_listed($event, $ended_at);
            }
            $cursor = $page['cursor'];
            if ($failures === 0) {
                update_option(CURSOR, $cursor, false);
            }
        } while ($page['more']);
    } catch (\Throwable $error) {
        log_failure('events', $error);
    } finally {
        delete_option(TRIED);
    }
}

/** @return int 1 when the event could not be handled, else 0 */
function handle_listed(array $event, array $ended_at): int
{
    try {
        if (in_array($event['id'], $ended_at, true)) {
            throw new \RuntimeException('the last run ended at it, so the next one tries it again');
        }
        update_option(TRIED, [...$ended_at, $event['id']], false);
        handle_once($event['id'], $event);
        return 0;
    } catch (\Throwable $error) {
        log_failure("event {$event['id']}", $error);
        return 1;
    }
}
