// Works on a site's WordPress as its client, in the client's cage. `$asked` tells what is wanted; the last line that
// this says, marked, is the answer. Whatever fails says why and ends with 1.
umask(0027);

function answer(array $answer): never
{
    file_put_contents('php://stdout', "\n@panel " . json_encode($answer, JSON_THROW_ON_ERROR) . "\n");
    // Nothing that WordPress or what extends it would do at the end.
    posix_kill(getmypid(), 9);
    exit(0);
}

function refuse(string $why): never
{
    file_put_contents('php://stderr', $why . "\n");
    exit(1);
}

/** Stops at what PHP only warns of. */
function must(mixed $result, string $what): mixed
{
    if ($result === false) {
        refuse($what . ': ' . (error_get_last()['message'] ?? 'failed'));
    }
    return $result;
}

function save(string $path, string $content): void
{
    if (must(@file_put_contents($path, $content), $path) !== strlen($content)) {
        refuse("$path: No space left");
    }
}

function names(string $folder): array
{
    return array_values(array_diff(must(@scandir($folder), $folder), ['.', '..']));
}

/** The installation that a folder's settings tell of; null for none. */
function installation(string $folder): ?string
{
    $path = "$folder/wp-config.php";
    $head = is_file($path) ? (string) @file_get_contents($path, false, null, 0, 400) : '';
    return preg_match('/^ \* Installation ([0-9A-Z]{26})$/m', $head, $found) ? $found[1] : null;
}

function version(string $folder): ?string
{
    $path = "$folder/wp-includes/version.php";
    $text = is_file($path) ? (string) @file_get_contents($path, false, null, 0, 8192) : '';
    return preg_match('/^\$wp_version\s*=\s*\'([0-9A-Za-z.+-]{1,40})\';/m', $text, $found) ? $found[1] : null;
}

function look(string $folder, ?string $id): array
{
    $found = is_dir($folder) ? names($folder) : [];
    $own = $id !== null && installation($folder) === $id;
    $place = $own ? (is_file("$folder/index.php") ? 'whole' : 'begun') : 'none';
    return ['empty' => $found === [], 'version' => version($folder), 'place' => $place];
}

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

/** What WordPress expects of a request, which there is none of. */
function pretendRequest(string $url): void
{
    $_SERVER['HTTP_HOST'] = $_SERVER['SERVER_NAME'] = (string) parse_url($url, PHP_URL_HOST);
    $_SERVER['REQUEST_URI'] = '/';
    $_SERVER['REQUEST_METHOD'] = 'GET';
    $_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
    $_SERVER['REMOTE_ADDR'] = '127.0.0.1';
    if (str_starts_with($url, 'https:')) {
        $_SERVER['HTTPS'] = 'on';
    }
}

/** Moves what was prepared into its empty place: its settings first, which tell whose it is, and what serves it last. */
function place(string $from, string $to, string $id): void
{
    if (!is_dir($to)) {
        must(@mkdir($to, 0750, true), $to);
    }
    $begun = installation($to) === $id;
    if (!$begun && names($to) !== []) {
        answer(['refused' => 'sitio_no_vacio']);
    }
    $left = names($from);
    $order = [
        ...array_intersect($left, ['wp-config.php']),
        ...array_diff($left, ['wp-config.php', 'index.php']),
        ...array_intersect($left, ['index.php']),
    ];
    $moved = [];
    foreach ($order as $name) {
        if (file_exists("$to/$name") || is_link("$to/$name") || !@rename("$from/$name", "$to/$name")) {
            $why = error_get_last()['message'] ?? 'there is something else';
            foreach (array_reverse($moved) as $back) {
                @rename("$to/$back", "$from/$back");
            }
            refuse("$name: $why");
        }
        $moved[] = $name;
    }
}

/** Tells at the end of PHP, whatever ends it, whether the front page could be made. */
function watchFrontPage(): void
{
    // WordPress takes these over as its own; it is closed to visitors meanwhile.
    $open = ['function' => fn () => false, 'accepted_args' => 0];
    $offline = ['function' => fn () => new WP_Error('offline', 'no network'), 'accepted_args' => 0];
    $GLOBALS['wp_filter'] = ['enable_maintenance_mode' => [10 => [$open]], 'pre_http_request' => [10 => [$offline]]];
    register_shutdown_function(function () {
        $fatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
        $error = error_get_last();
        $bad = $error !== null && ($error['type'] & $fatal) !== 0;
        answer(['good' => !$bad && (int) http_response_code() < 500, 'why' => $bad ? substr($error['message'], 0, 300) : '']);
    });
}

switch ($asked['verb']) {
    case 'look':
        answer(look($asked['folder'], $asked['id'] ?? null));

    case 'prepare':
        $folder = $asked['folder'];
        save("$folder/wp-config.php", settings($asked));
        savePlugin($folder, $asked['plugin']);
        answer(['version' => version($folder)]);

    case 'place':
        place($asked['from'], $asked['to'], $asked['id']);
        answer(['version' => version($asked['to'])]);

    case 'install':
    case 'mail':
    case 'session':
    case 'upgrade':
    case 'check':
        break;

    default:
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
        answer([]);
}
