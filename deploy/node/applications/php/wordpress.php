// Works on a site's WordPress, beside what is the same for every application.

/** Settings whose values PHP itself writes, so that none of them can be code. */
function settings(array $asked): string
{
    $values = [
        'DB_NAME' => $asked['database'], 'DB_USER' => $asked['user'], 'DB_PASSWORD' => '',
        'DB_HOST' => 'localhost:' . $asked['socket'], 'DB_CHARSET' => 'utf8mb4', 'DB_COLLATE' => '',
    ];
    foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
        foreach (['KEY', 'SALT'] as $part) {
            $values["{$name}_{$part}"] = base64_encode(random_bytes(48));
        }
    }
    $values['FS_METHOD'] = 'direct';
    $values['WP_DEBUG'] = false;
    if ($asked['scheduled']) {
        $values['DISABLE_WP_CRON'] = true;
    }
    $lines = array_map(fn ($name) => "define('$name', " . var_export($values[$name], true) . ');', array_keys($values));
    $id = $asked['id'];
    return "<?php\n/*\n * Made by the control panel; change it as you like, but keep the next line.\n * Installation $id\n */\n"
        . implode("\n", $lines)
        . "\n\n\$table_prefix = 'wp_';\n\n/* That's all, stop editing! Happy publishing. */\n\n"
        . "if (!defined('ABSPATH')) {\n    define('ABSPATH', __DIR__ . '/');\n}\nrequire_once ABSPATH . 'wp-settings.php';\n";
}

/** What signs people in; made anew where it was changed or came of an earlier panel. */
function savePlugin(string $folder, string $plugin): void
{
    $path = "$folder/wp-content/mu-plugins/controlpanel.php";
    if (is_file($path) && @file_get_contents($path) === $plugin) {
        return;
    }
    @mkdir(dirname($path), 0750, true);
    save("$path.new", $plugin);
    must(@rename("$path.new", $path), $path);
}

/** Keeps WordPress from the network, and has it answer while it is closed to visitors. */
function openFrontPage(): void
{
    // WordPress takes these over as its own.
    $open = ['function' => fn () => false, 'accepted_args' => 0];
    $offline = ['function' => fn () => new WP_Error('offline', 'no network'), 'accepted_args' => 0];
    $GLOBALS['wp_filter'] = ['enable_maintenance_mode' => [10 => [$open]], 'pre_http_request' => [10 => [$offline]]];
}

/** Once the site has a certificate: mails and what runs by the clock have no visitor whose way they could follow. */
function writeHttps(string $url): void
{
    global $wpdb;
    if (strncmp($url, 'https://', 8) !== 0) {
        return;
    }
    $wpdb->query($wpdb->prepare("UPDATE $wpdb->options SET option_value = %s"
        . " WHERE option_name IN ('home', 'siteurl') AND option_value IN (%s, %s)",
        $url, 'http://' . substr($url, 8), 'http://' . substr($url, 8) . '/'));
}

/** The database that a site's settings name, and how its tables' names begin; null where they tell of none. */
function databaseOf(string $folder): ?array
{
    return [configured($folder, 'DB_NAME'), configured($folder, '$table_prefix')];
}

begin($asked);
if ($asked['verb'] === 'prepare') {
    $folder = $asked['folder'];
    save("$folder/wp-config.php", settings($asked));
    savePlugin($folder, $asked['plugin']);
    answer(['version' => version($folder)]);
}
if (!isItsOwn($asked['verb'])) {
    copying($asked);
}

// What follows loads WordPress, which wants its variables to be global.
pretendRequest($asked['url']);
error_reporting(E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR);

if ($asked['verb'] === 'session') {
    savePlugin($asked['folder'], $asked['plugin']);
    // The database alone, and nothing of what extends WordPress.
    define('SHORTINIT', true);
}
if ($asked['verb'] === 'install') {
    define('WP_INSTALLING', true);
    define('WP_SITEURL', $asked['url']);
    // The password that nobody knows is not mailed; see the verb `mail`.
    function wp_new_blog_notification() {}
}
if ($asked['verb'] === 'upgrade') {
    // Without what extends WordPress, which may not fit it yet.
    define('WP_INSTALLING', true);
}
if ($asked['verb'] === 'check') {
    watchFrontPage();
    openFrontPage();
    ob_start();
    define('WP_USE_THEMES', true);
    require $asked['folder'] . '/wp-blog-header.php';
    exit(0);
}
require $asked['folder'] . '/wp-load.php';
add_filter('pre_http_request', fn () => new WP_Error('offline', 'no network'));

switch ($asked['verb']) {
    case 'install':
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        $wpdb->show_errors = false;
        foreach ($wpdb->get_col('SHOW TABLES') as $table) {
            $wpdb->query('DROP TABLE `' . str_replace('`', '``', $table) . '`');
        }
        $language = is_file(WP_LANG_DIR . "/{$asked['language']}.mo") ? $asked['language'] : 'en_US';
        if ($language !== 'en_US') {
            load_default_textdomain($language);
            $GLOBALS['wp_locale'] = new WP_Locale();
        }
        $made = wp_install($asked['title'], $asked['login'], $asked['email'], true, '', wp_generate_password(40),
            $language === 'en_US' ? '' : $language);
        $wp_rewrite->set_permalink_structure('/%year%/%monthnum%/%day%/%postname%/');
        $wp_rewrite->flush_rules(false);
        if (!is_array($made) || !get_user_by('id', $made['user_id']) || get_option('siteurl') !== $asked['url']) {
            refuse('WordPress was not installed: ' . $wpdb->last_error);
        }
        answer(['language' => $language]);

    case 'upgrade':
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        wp_upgrade();
        writeHttps($asked['url']);
        answer(['version' => version($asked['folder'])]);

    case 'mail':
        $user = get_user_by('login', $asked['login']);
        $key = $user ? get_password_reset_key($user) : new WP_Error('gone');
        if (is_wp_error($key)) {
            answer(['mailed' => false]);
        }
        $link = network_site_url("wp-login.php?action=rp&key=$key&login=" . rawurlencode($user->user_login), 'login');
        answer(['mailed' => wp_mail($user->user_email, $asked['subject'], str_replace('{enlace}', $link, $asked['text']))]);

    case 'session':
        $name = $wpdb->get_blog_prefix() . 'capabilities';
        $admins = $wpdb->prepare("SELECT MIN(u.ID) FROM $wpdb->users u JOIN $wpdb->usermeta m ON m.user_id = u.ID"
            . ' WHERE m.meta_key = %s AND m.meta_value LIKE %s', $name, '%"administrator"%');
        $user = (int) $wpdb->get_var($admins);
        if ($user === 0) {
            answer(['refused' => 'aplicacion_no_existe']);
        }
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name LIKE %s"
            . " AND CAST(option_value AS UNSIGNED) < %d", 'controlpanel\\_session\\_%', $asked['now']));
        $row = ['option_name' => "controlpanel_session_{$asked['hash']}", 'option_value' => "{$asked['until']}|$user", 'autoload' => 'no'];
        if ($wpdb->insert($wpdb->options, $row) !== 1) {
            refuse($wpdb->last_error);
        }
        writeHttps($asked['url']);
        answer([]);
}
