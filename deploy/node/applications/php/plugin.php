<?php
/*
 * Plugin Name: Control panel
 * Description: Signs in whoever comes by a one-time link of the control panel, and has addresses follow the visitor to HTTPS. Made by the control panel, which makes it anew at an update.
 */

if (!defined('ABSPATH')) {
    exit;
}

foreach (['option_home', 'option_siteurl'] as $controlpanel_option) {
    add_filter($controlpanel_option, function ($url) {
        return is_ssl() && is_string($url) ? preg_replace('#^http://#', 'https://', $url) : $url;
    });
}

add_action('login_init', function () {
    global $wpdb;
    $token = $_GET['controlpanel'] ?? null;
    if (!is_string($token)) {
        return;
    }
    nocache_headers();
    header('Referrer-Policy: no-referrer');
    // Only its hash is kept, as a row `<end>|<user>`. Of two that come at once, one deletes it.
    $row = ['option_name' => 'controlpanel_session_' . hash('sha256', $token)];
    $kept = $wpdb->get_var($wpdb->prepare("SELECT option_value FROM $wpdb->options WHERE option_name = %s", $row));
    $mine = is_string($kept) && $wpdb->delete($wpdb->options, $row) === 1;
    list($until, $user) = array_map('intval', explode('|', "$kept|0"));
    if (!$mine || time() > $until || !get_user_by('id', $user)) {
        wp_die('<p>This link has been used or is too old. / Este enlace ya se us&oacute; o ha caducado.</p>', '', 403);
    }
    wp_set_auth_cookie($user);
    wp_safe_redirect(admin_url());
    exit;
});
