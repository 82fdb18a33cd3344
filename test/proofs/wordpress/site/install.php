<?php
/** Installs WordPress with a page that sells a T-shirt, in its folder: php install.php PASSWORD */
define('WP_INSTALLING', true);
require getcwd() . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

wp_install('Shop', 'admin', 'admin@shop.example', true, '', $argv[1]);
switch_theme('plain');
update_option('permalink_structure', '/%postname%/');
flush_rewrite_rules();
wp_insert_post([
    'post_type' => 'page',
    'post_status' => 'publish',
    'post_name' => 'tee',
    'post_title' => 'T-shirt',
    'post_content' => '[pay_checkout product="tee"]',
]);
