<?php
/** The shortcode `[pay_checkout product="tee"]`, whose page is for one visitor only. */

namespace PayCheckout\WordPress;

const COOKIE = 'pay_checkout_visitor';

/**
 * Knows the visitor by a random number in a cookie, and forbids every cache to keep the page.
 *
 * @return ?string 32 hexadecimal digits; null when the page has already begun
 */
function visitor(): ?string
{
    static $id = null;
    if ($id !== null || headers_sent()) {
        return $id;
    }
    defined('DONOTCACHEPAGE') || define('DONOTCACHEPAGE', true);
    nocache_headers();
    header('cache-control: no-store, private'); // those of WordPress 6.1 let a cache keep it
    $known = $_COOKIE[COOKIE] ?? null;
    if (is_string($known) && preg_match('/^[0-9a-f]{32}$/D', $known)) {
        return $id = $known;
    }
    $id = bin2hex(random_bytes(16));
    setcookie(COOKIE, $id, [
        'path' => COOKIEPATH ?: '/',
        'domain' => COOKIE_DOMAIN ?: '',
        'secure' => is_ssl(),
        'httponly' => true,
        'samesite' => 'Lax',
    ]);
    return $id;
}

/** Many themes send the page's head before its content, and with it the headers. */
function prepare_page(): void
{
    $page = get_post();
    if (is_singular() && $page && has_shortcode($page->post_content, 'pay_checkout')) {
        visitor();
    }
}

/**
 * The page chooses a product, and the shop's code by the filter `pay_checkout_order` what it costs.
 *
 * @param array|string $attributes product
 * @return string the element; nothing when there is no order, or it cannot be signed
 */
function checkout(array|string $attributes): string
{
    // a feed, the REST API and the editor show the content too, and their readers do not pay
    if (!did_action('template_redirect') || is_feed()) {
        return '';
    }
    try {
        stop_at(missing_settings());
        $visitor = visitor();
        if ($visitor === null) {
            throw new \RuntimeException('the page has begun, so a cache might keep a token');
        }
        $product = (string) ($attributes['product'] ?? '');
        $failed = failed_statements();
        $order = apply_filters('pay_checkout_order', null, $product, $visitor);
        if (failed_statements() !== $failed) {
            throw new \RuntimeException('a statement of the shop failed: no order is known');
        }
        if ($order === null) {
            return '';
        }
        $token = \PayCheckout\sign_order_token($order, PAY_CHECKOUT_RELAY, [
            'kid' => PAY_CHECKOUT_KEY_ID,
            'secret' => PAY_CHECKOUT_ORDER_TOKEN_KEY,
        ]);
    } catch (\Throwable $error) {
        log_failure('the page shows no checkout', $error);
        return '';
    }
    $script = PAY_CHECKOUT_RELAY . '/pay-checkout.js';
    $where = ['in_footer' => true, 'strategy' => 'defer'];
    wp_enqueue_script('pay-checkout', $script, [], null, $where);
    return sprintf(
        '<pay-checkout order-token="%s" relay="%s"></pay-checkout>',
        esc_attr($token),
        esc_url(PAY_CHECKOUT_RELAY)
    );
}
