<?php
/**
 * Plugin Name: pay-checkout
 * Description: Takes payments with pay-checkout; the shop's own code says what is sold.
 * Requires at least: 6.1
 * Requires PHP: 8.1
 *
 * The folder of the plugin also needs pay-checkout.php, unchanged.
 */

namespace PayCheckout\WordPress;

require __DIR__ . '/pay-checkout.php';
require __DIR__ . '/once.php';
require __DIR__ . '/events.php';
require __DIR__ . '/page.php';

/** What wp-config.php defines. Nothing of it is kept in the database. */
const SETTINGS = [
    'PAY_CHECKOUT_RELAY', // public_url of the relay
    'PAY_CHECKOUT_KEY_ID', // kid of a key of order_token_keys
    'PAY_CHECKOUT_ORDER_TOKEN_KEY', // the secret of that key
    'PAY_CHECKOUT_SECRET_KEY', // secret_key of the relay
    'PAY_CHECKOUT_EVENTS_SECRET', // secret of shop_events
];
const EVERY_MINUTE = 'pay_checkout_minute';
const CATCH_UP = 'pay_checkout_catch_up';

/** @return string[] one sentence for each setting that is missing */
function missing_settings(): array
{
    // a file of a secret that cannot be read leaves an empty text
    $is_missing = fn (string $name) => !defined($name) || trim((string) constant($name)) === '';
    $missing = array_values(array_filter(SETTINGS, $is_missing));
    return array_map(fn (string $name) => "$name is missing or empty in wp-config.php.", $missing);
}

/** @return string[] why no event can be handled, one sentence for each reason */
function problems(): array
{
    $engine = events_engine();
    $problems = missing_settings();
    if ($engine !== 'InnoDB') {
        $problems[] = 'The table ' . events_table() . ' must be an InnoDB table, and is '
            . ($engine === null ? 'missing: activate the plugin again.' : "a $engine table.");
    }
    return $problems;
}

/** @param string[] $problems */
function stop_at(array $problems): void
{
    if ($problems) {
        throw new \RuntimeException($problems[0]);
    }
}

function activate(): void
{
    create_events_table();
    if (!wp_next_scheduled(CATCH_UP)) {
        wp_schedule_event(time(), EVERY_MINUTE, CATCH_UP);
    }
}

// the table stays: without its rows, a later activation would handle old events again
register_deactivation_hook(__FILE__, fn () => wp_clear_scheduled_hook(CATCH_UP));
register_activation_hook(__FILE__, __NAMESPACE__ . '\activate');

add_filter('cron_schedules', fn (array $all) => $all + [
    EVERY_MINUTE => ['interval' => MINUTE_IN_SECONDS, 'display' => 'Every minute'],
]);
add_action(CATCH_UP, __NAMESPACE__ . '\catch_up');

add_action('rest_api_init', fn () => register_rest_route('pay-checkout/v1', '/events', [
    'methods' => 'POST',
    'callback' => __NAMESPACE__ . '\receive',
    'permission_callback' => '__return_true', // the signature decides
]));

add_shortcode('pay_checkout', __NAMESPACE__ . '\checkout');
add_action('template_redirect', __NAMESPACE__ . '\prepare_page');

add_action('admin_notices', function (): void {
    foreach (current_user_can('activate_plugins') ? problems() : [] as $problem) {
        $text = esc_html($problem);
        echo "<div class=\"notice notice-error\"><p>pay-checkout: $text</p></div>";
    }
});
