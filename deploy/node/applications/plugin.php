<?php
/*
 * Plugin Name: Control panel
 * Description: Has addresses follow the visitor to HTTPS. Made by the control panel, which makes it anew at an update.
 */

if (!defined('ABSPATH')) {
    exit;
}

foreach (['option_home', 'option_siteurl'] as $controlpanel_option) {
    add_filter($controlpanel_option, function ($url) {
        return is_ssl() && is_string($url) ? preg_replace('#^http://#', 'https://', $url) : $url;
    });
}
