<?php
/** Plugin of the proof: counts the events, and lets the accident of an option happen. */
add_action('admin_init', fn () => $GLOBALS['wpdb']->query(
    'create table if not exists heard (event_id varchar(100)) engine=InnoDB'
));

function hear(string $event_id): void
{
    $GLOBALS['wpdb']->insert('heard', ['event_id' => $event_id]);
}

add_action('pay_checkout_event', function (array $event): void {
    global $wpdb;
    hear($event['id']);
    switch (get_option('accident')) {
        case "exits for {$event['id']}":
            exit('done');
        case "throws for {$event['id']}":
        case 'throws':
            throw new Exception('the shop failed');
        case 'exits':
            exit('done');
        case 'hides an error':
            $wpdb->query('insert into nowhere values (1)');
            break;
        case 'loses its transaction': // as in a deadlock
            $wpdb->query('rollback');
            hear('late');
            break;
        case 'loses the connection':
            $wpdb->query('kill ' . $wpdb->get_var('select connection_id()'));
            hear('late');
            break;
        case 'commits and throws':
            $wpdb->query('commit');
            throw new Exception('the shop failed');
    }
}, 20);

add_action('wp_footer', fn () => print(defined('DONOTCACHEPAGE') ? '<!-- not cached -->' : ''));
