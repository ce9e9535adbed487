// Copies a WordPress to another site of its client's, and back: tables from database to database, addresses replaced.

/** What a site's settings define under a name, written out there. */
function configured(string $folder, string $name): string
{
    $config = must(@file_get_contents("$folder/wp-config.php"), 'wp-config.php');
    $value = '([\'"])((?:\\\\.|(?!\1).)*)\1';
    $pattern = $name === '$table_prefix' ? "/^\s*\\\$table_prefix\s*=\s*{$value}\s*;/m" : "/\bdefine\(\s*['\"]{$name}['\"]\s*,\s*{$value}\s*\)/";
    if (preg_match($pattern, $config, $found) !== 1) {
        refuse("wp-config.php: $name");
    }
    return stripslashes($found[2]);
}

/** Replaces the addresses of one site by those of another; what else names it, such as mailboxes, stays. */
function renaming(array $asked): Closure
{
    $hosts = implode('|', array_map(fn ($host) => preg_quote($host, '~'), $asked['hosts']));
    [$scheme, $host] = explode('://', $asked['url'], 2);
    // As it stands in texts, in JSON, which escapes slashes, and in parameters of addresses.
    // Not more of them: the time that any number of them takes grows with its square.
    $pattern = '~(?:\bhttps?(:|%3A))?((?:\\\\{0,15}/|%2F){2})(?:' . $hosts . ')(?![a-z0-9-]|\.[a-z0-9])~i';
    return fn (string $text) => must(
        preg_replace_callback($pattern, fn ($found) => ($found[1] === '' ? '' : $scheme . $found[1]) . $found[2] . $host, $text) ?? false,
        'a text',
    );
}

/** The same in what PHP serialised, whose lengths are set anew. It is never unserialised: that would run programs. */
function renamed(string $text, Closure $rename, int $depth = 0): string
{
    if ($depth < 50 && preg_match('/^(?:[asCOE]:\d|[bidN][:;])/', $text) === 1) {
        $at = 0;
        $made = reserialised($text, $at, $rename, $depth);
        if ($made !== null && $at === strlen($text)) {
            return $made;
        }
    }
    return $rename($text);
}

/** One value, from `$at` on; null for what is none. */
function reserialised(string $text, int &$at, Closure $rename, int $depth): ?string
{
    if ($depth > 200 || preg_match('/\G(?:N;|[bi]:-?\d+;|d:[0-9.eE+INFA-]+;|[rR]:\d+;|([asCOE]):(\d+):)/', $text, $found, 0, $at) !== 1) {
        return null;
    }
    $at += strlen($found[0]);
    if (!isset($found[1])) {
        return $found[0];
    }
    [, $kind, $length] = $found;
    // None is as long, and no class has such a name: neither a sum nor a pattern holds it.
    if (strlen($length) > ($kind === 'a' || $kind === 's' ? 9 : 4)) {
        return null;
    }
    if ($kind === 's' || $kind === 'E') {
        $end = $at + 1 + (int) $length;
        if (($text[$at] ?? '') !== '"' || substr($text, $end, 2) !== '";') {
            return null;
        }
        $inner = substr($text, $at + 1, (int) $length);
        $at = $end + 2;
        $inner = $kind === 's' ? renamed($inner, $rename, $depth + 1) : $inner;
        return "$kind:" . strlen($inner) . ":\"$inner\";";
    }
    return reserialisedParts($text, $at, $rename, [$kind, (int) $length, $depth]);
}

/** An array or an object, whose kind and length were read. */
function reserialisedParts(string $text, int &$at, Closure $rename, array $read): ?string
{
    [$kind, $length, $depth] = $read;
    $made = "$kind:$length:";
    if ($kind !== 'a') {
        if (preg_match('/\G("[^"]{' . $length . '}":)(\d{1,9}):/', $text, $found, 0, $at) !== 1) {
            return null;
        }
        $at += strlen($found[0]);
        $length = (int) $found[2];
        $made .= $found[1];
        if ($kind === 'C') {
            $inner = renamed(substr($text, $at + 1, $length), $rename, $depth + 1);
            $at += $length + 2;
            return ($text[$at - 1] ?? '') === '}' ? $made . strlen($inner) . ":{{$inner}}" : null;
        }
        $made .= "$length:";
    }
    if (($text[$at++] ?? '') !== '{') {
        return null;
    }
    $parts = ['{'];
    for ($left = 2 * $length; $left > 0; $left--) {
        $part = reserialised($text, $at, $rename, $depth + 1);
        if ($part === null) {
            return null;
        }
        $parts[] = $part;
    }
    return ($text[$at++] ?? '') === '}' ? $made . implode('', $parts) . '}' : null;
}

/** Replaces the addresses in a table's texts. A post's GUID is no address and stays, as WordPress wants it. */
function renameIn(mysqli $db, array $table, array $asked): void
{
    $where = 'WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?';
    $texts = column($db, "SELECT COLUMN_NAME FROM information_schema.COLUMNS $where AND CHARACTER_SET_NAME IS NOT NULL"
        . " AND EXTRA NOT LIKE '%GENERATED%' AND COLUMN_NAME <> 'guid'", ...$table);
    if ($texts === []) {
        return;
    }
    $keys = column($db, "SELECT COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE $where AND CONSTRAINT_NAME = 'PRIMARY'", ...$table);
    $keys = $keys === [] ? $texts : $keys;
    $named = [];
    foreach ($asked['hosts'] as $host) {
        $like = "'%" . $db->real_escape_string(addcslashes($host, '\\%_')) . "%'";
        array_push($named, ...array_map(fn ($text) => name($text) . " LIKE $like", $texts));
    }
    $from = name(...$table);
    $found = $db->query('SELECT ' . implode(', ', array_map('name', $keys)) . " FROM $from WHERE " . implode(' OR ', $named));
    $rename = renaming($asked);
    $same = implode(' AND ', array_map(fn ($key) => name($key) . ' <=> ?', $keys));
    $read = $db->prepare('SELECT ' . implode(', ', array_map('name', $texts)) . " FROM $from WHERE $same LIMIT 1");
    $db->begin_transaction();
    foreach ($found->fetch_all() as $key) {
        $read->execute($key);
        $row = $read->get_result()->fetch_assoc() ?? [];
        $new = array_filter(array_map(fn ($text) => $text === null ? null : renamed($text, $rename), $row), fn ($text, $name) => $text !== $row[$name], ARRAY_FILTER_USE_BOTH);
        if ($new !== []) {
            $set = implode(', ', array_map(fn ($name) => name($name) . ' = ?', array_keys($new)));
            $db->prepare("UPDATE $from SET $set WHERE $same LIMIT 1")->execute([...array_values($new), ...$key]);
        }
    }
    $db->commit();
}

/** Refuses a table that is not there, or that foreign keys tie to others: a copy would be without them. */
function requireTable(mysqli $db, string $base, string $table): void
{
    $there = in_array($table, tables($db, $base, ''), true);
    $tied = column($db, 'SELECT COUNT(*) FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL'
        . ' AND ((TABLE_SCHEMA = ? AND TABLE_NAME = ?) OR (REFERENCED_TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME = ?))', $base, $table, $base, $table);
    if (!$there || (int) $tied[0] > 0) {
        answer(['refused' => 'tabla_no_admitida']);
    }
}

/** A clone's settings: its own database, keys and number, and its addresses. */
function cloneSettings(array $asked): void
{
    $folder = $asked['folder'];
    $config = renaming($asked)(must(@file_get_contents("$folder/wp-config.php"), 'wp-config.php'));
    $set = function (string $name, string $value) use (&$config) {
        $pattern = "/\b(define\(\s*['\"]{$name}['\"]\s*,\s*)(['\"])(?:\\\\.|(?!\\2).)*\\2/";
        $config = must(preg_replace_callback($pattern, fn ($found) => $found[1] . var_export($value, true), $config) ?? false, $name);
    };
    $set('DB_NAME', $asked['database']);
    foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
        $set("{$name}_KEY", base64_encode(random_bytes(48)));
        $set("{$name}_SALT", base64_encode(random_bytes(48)));
    }
    $config = must(preg_replace('/^ \* Installation [0-9A-Z]{26}\n/m', '', $config) ?? false, 'wp-config.php');
    $head = "<?php\n/*\n * Made by the control panel; change it as you like, but keep the next line.\n * Installation {$asked['id']}\n */\n";
    save("$folder/wp-config.php", $head . preg_replace('/^\s*<\?php/', '', $config));
    if (configured($folder, 'DB_NAME') !== $asked['database']) {
        refuse('wp-config.php: DB_NAME');
    }
    @mkdir("$folder/wp-content/mu-plugins", 0750, true);
    save("$folder/" . CLONES_PLUGIN, $asked['clonePlugin']);
    @unlink("$folder/.maintenance");
}

const CLONES_PLUGIN = 'wp-content/mu-plugins/controlpanel-clone.php';

function copying(array $asked): never
{
    $folder = $asked['folder'];
    switch ($asked['verb']) {
        case 'clone':
            cloneSettings($asked);
            answer([]);

        case 'clone-tables':
            $db = connected($asked);
            ['source' => $source, 'database' => $into] = $asked;
            $base = configured($source, 'DB_NAME');
            dropTables($db, $into, [...tables($db, $into, '')]);
            $found = tables($db, $base, configured($source, '$table_prefix'));
            // As of settings that name a database which is not its client's.
            if ($found === []) {
                answer(['refused' => 'aplicacion_no_responde']);
            }
            foreach ($found as $table) {
                copyTable($db, [$base, $table], [$into, $table]);
                renameIn($db, [$into, $table], $asked);
            }
            answer([]);

        case 'publish-files':
            foreach (['wp-config.php', '.maintenance', '.htaccess', '.user.ini', CLONES_PLUGIN] as $own) {
                @unlink("{$asked['from']}/$own");
            }
            answer([]);

        case 'publish-tables':
            $db = connected($asked);
            $base = configured($folder, 'DB_NAME');
            $clones = configured($asked['source'], 'DB_NAME');
            foreach ($asked['tables'] as $table) {
                requireTable($db, $clones, $table);
                requireTable($db, $base, $table);
            }
            foreach ($asked['tables'] as $table) {
                copyTable($db, [$clones, $table], [$base, aside('new', $table)]);
                renameIn($db, [$base, aside('new', $table)], $asked);
            }
            note($asked['aside'], 'tables', ['base' => $base, 'tables' => $asked['tables']]);
            answer([]);

        case 'publish':
            $copied = noted($asked['aside'], 'tables');
            if ($copied !== null) {
                exchangeTables(connected($asked), $copied['base'], $copied['tables'], 'new', 'old');
            }
            if ($asked['files']) {
                exchangeFiles($asked);
            }
            answer([]);
    }
    change($asked);
}
