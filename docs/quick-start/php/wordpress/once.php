<?php
/**
 * Handles each event once, in one transaction of the connection that the shop's code writes with.
 * `receive_once` of pay-checkout.php needs a PDO, and WordPress has none: what the shop writes with
 * wpdb would not be in its transaction.
 */

namespace PayCheckout\WordPress;

function events_table(): string
{
    global $wpdb;
    return $wpdb->prefix . 'pay_checkout_events';
}

/** @return ?string the engine of the table of handled events, null when there is no table */
function events_engine(): ?string
{
    global $wpdb;
    return $wpdb->get_var($wpdb->prepare('select engine from information_schema.tables
        where table_schema = database() and table_name = %s', events_table()));
}

function create_events_table(): void
{
    // the database's own engine may be MyISAM, and its own order may ignore the case of an id
    run('create table if not exists ' . events_table() . ' (
        event_id varchar(100) character set ascii collate ascii_bin primary key,
        handled tinyint not null default 0
    ) engine=InnoDB');
}

/**
 * Runs a statement; wpdb itself does not throw.
 *
 * @return int the number of rows that it changed
 */
function run(string $sql, string ...$values): int
{
    global $wpdb;
    $rows = $wpdb->query($values ? $wpdb->prepare($sql, ...$values) : $sql);
    if ($rows === false) {
        throw new \RuntimeException("the database refuses a statement: $wpdb->last_error");
    }
    return (int) $rows;
}

/** @return int how many statements of wpdb have failed so far */
function failed_statements(): int
{
    return count($GLOBALS['EZSQL_ERROR'] ?? []);
}

/**
 * Handles an event by the action `pay_checkout_event`, in one transaction with the row that
 * remembers it. When this throws, nothing is written, and the event can be handled again.
 *
 * @param array $event type, timestamp and data
 */
function handle_once(string $id, array $event): void
{
    global $wpdb;
    if (!has_action('pay_checkout_event')) {
        throw new \RuntimeException('no code of the shop handles pay_checkout_event');
    }
    $wpdb->check_connection();
    $retries = $wpdb->reconnect_retries;
    // a connection that wpdb opened anew would be outside the transaction
    $wpdb->reconnect_retries = 0;
    try {
        // after a deadlock, `start transaction` would let each further statement commit by itself
        run('set autocommit = 0');
        handle_in_transaction($id, $event);
        run('commit');
    } catch (\Throwable $error) {
        $wpdb->query('rollback');
        // it may have values that are rolled back now
        wp_cache_flush();
        throw $error;
    } finally {
        $wpdb->query('set autocommit = 1');
        $wpdb->reconnect_retries = $retries;
    }
}

function handle_in_transaction(string $id, array $event): void
{
    global $wpdb;
    $table = events_table();
    // a second delivery of the event waits here until the first one has ended; several that wait
    // for an `insert ignore` would be in a deadlock then
    run("insert into $table (event_id) values (%s)
        on duplicate key update event_id = event_id", $id);
    $handled = $wpdb->get_var(
        $wpdb->prepare("select handled from $table where event_id = %s for update", $id)
    );
    if ($handled === null) {
        throw new \RuntimeException('the event could not be recorded');
    }
    if ($handled !== '0') {
        return;
    }
    $failed = failed_statements();
    do_action('pay_checkout_event', ['id' => $id] + $event);
    // wpdb only returns false, which is easily overlooked
    if (failed_statements() !== $failed) {
        throw new \RuntimeException('a statement of the shop failed');
    }
    if (run("update $table set handled = 1 where event_id = %s", $id) !== 1) {
        throw new \RuntimeException('the transaction was rolled back while the event was handled');
    }
}
