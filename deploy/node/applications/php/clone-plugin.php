<?php
/*
 * Plugin Name: Control panel: clone
 * Description: This is a copy for trying things out: it sends no mail, and search engines are told to leave it alone. Not published with it.
 */

if (!defined('ABSPATH')) {
    exit;
}

// WordPress keeps its own only where there is none yet.
if (!function_exists('wp_mail')) {
    function wp_mail()
    {
        return false;
    }
}

add_filter('pre_option_blog_public', fn () => '0');
add_action('send_headers', function () {
    header('X-Robots-Tag: noindex, nofollow');
});
