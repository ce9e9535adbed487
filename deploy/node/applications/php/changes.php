// Changes an application that is there, so that each change can be taken back: what it replaces is put aside first. This
// loads nothing of it. All of it may be cut short and begun anew.

/** A connection as the client's own user, whose are all of its databases. */
function connected(array $asked): mysqli
{
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    $db = new mysqli('localhost', $asked['user'], '', '', 0, $asked['socket']);
    $db->set_charset('utf8mb4');
    // Rows as they are; and no lock on what others write to.
    $db->query("SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0");
    $db->query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    return $db;
}

function name(string ...$parts): string
{
    return implode('.', array_map(fn ($part) => '`' . str_replace('`', '``', $part) . '`', $parts));
}

/** The first column of what is asked. */
function column(mysqli $db, string $words, string ...$values): array
{
    $asked = $db->prepare($words);
    $asked->execute($values);
    return array_column($asked->get_result()->fetch_all(), 0);
}

/** The tables of a database whose names begin so, without the copies that this makes. */
function tables(mysqli $db, string $base, string $prefix): array
{
    return column($db, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'BASE TABLE'"
        . " AND LEFT(TABLE_NAME, CHAR_LENGTH(?)) = ? AND TABLE_NAME NOT LIKE 'controlpanel\\_%\\_%' ORDER BY TABLE_NAME", $base, $prefix, $prefix);
}

/** The name of a table's copy: `old`, put aside, or `new`, to be put in its place. */
function aside(string $kind, string $table): string
{
    return "controlpanel_{$kind}_" . md5($table);
}

/** @param array{string, string} $from @param array{string, string} $to each a database and a table */
function copyTable(mysqli $db, array $from, array $to): void
{
    $columns = column($db, "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?"
        . " AND EXTRA NOT LIKE '%GENERATED%' ORDER BY ORDINAL_POSITION", ...$from);
    $list = implode(', ', array_map('name', $columns));
    $db->query('DROP TABLE IF EXISTS ' . name(...$to));
    $db->query('CREATE TABLE ' . name(...$to) . ' LIKE ' . name(...$from));
    $db->query('INSERT INTO ' . name(...$to) . " ($list) SELECT $list FROM " . name(...$from));
}

/** Puts each table's copy of one kind in its place, all of them at once; what was there becomes the other kind. */
function exchangeTables(mysqli $db, string $base, array $tables, string $in, ?string $out): void
{
    $there = tables($db, $base, '');
    $copies = column($db, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND LEFT(TABLE_NAME, 17) = ?", $base, "controlpanel_{$in}_");
    $moves = [];
    $left = [];
    foreach ($tables as $table) {
        // Of an earlier run: all of them were moved by one statement.
        if (!in_array(aside($in, $table), $copies, true)) {
            continue;
        }
        $gone = aside($out ?? 'bad', $table);
        $db->query('DROP TABLE IF EXISTS ' . name($base, $gone));
        if (in_array($table, $there, true)) {
            $moves[] = name($base, $table) . ' TO ' . name($base, $gone);
            $left[] = $gone;
        }
        $moves[] = name($base, aside($in, $table)) . ' TO ' . name($base, $table);
    }
    if ($moves !== []) {
        $db->query('RENAME TABLE ' . implode(', ', $moves));
    }
    if ($out === null) {
        dropTables($db, $base, $left);
    }
}

function dropTables(mysqli $db, string $base, array $tables): void
{
    foreach ($tables as $table) {
        $db->query('DROP TABLE IF EXISTS ' . name($base, $table));
    }
}

/** What an earlier step noted for later ones; null for nothing. */
function noted(string $folder, string $name): ?array
{
    $text = is_file("$folder/$name.json") ? must(@file_get_contents("$folder/$name.json"), $name) : 'null';
    return json_decode($text, true, 8, JSON_THROW_ON_ERROR);
}

function note(string $folder, string $name, array $content): void
{
    save("$folder/$name.new", json_encode($content, JSON_THROW_ON_ERROR));
    must(@rename("$folder/$name.new", "$folder/$name.json"), $name);
}

/** A file's name in a note, which is JSON, and so UTF-8: others are told by their bytes, after a NUL that no name has. */
function noteName(string $name): string
{
    return preg_match('//u', $name) === 1 ? $name : "\0" . bin2hex($name);
}

function nameNoted(string $noted): string
{
    return str_starts_with($noted, "\0") ? hex2bin(substr($noted, 1)) : $noted;
}

/** What an exchange of files leaves as it is, whatever the application. */
const KEPT = ['.maintenance', '.htaccess', '.user.ini'];

/** The names that are exchanged, what begins each request last. */
function exchanged(array $names): array
{
    $all = array_values(array_diff(array_unique($names), KEPT, app('kept')));
    usort($all, fn ($a, $b) => ($a === app('entry')) <=> ($b === app('entry')));
    return $all;
}

/** Moves what was prepared into the place of what is served, which is put aside. `whole`: also what nothing replaces. */
function exchangeFiles(array $asked): void
{
    ['from' => $from, 'to' => $to, 'aside' => $aside] = $asked;
    $names = noted($aside, 'files');
    if ($names === null) {
        $there = array_flip(names($to));
        $all = exchanged([...names($from), ...($asked['whole'] ? array_keys($there) : [])]);
        $names = [];
        foreach ($all as $name) {
            $names[noteName((string) $name)] = isset($there[$name]);
        }
        // Both now: what is put back may find no room for a folder.
        foreach (['before', 'after'] as $folder) {
            is_dir("$aside/$folder") || must(@mkdir("$aside/$folder", 0750, true), $folder);
        }
        note($aside, 'files', $names);
    }
    foreach ($names as $name => $was) {
        $name = nameNoted((string) $name);
        if ($was && !present("$aside/before/$name") && present("$to/$name")) {
            must(@rename("$to/$name", "$aside/before/$name"), $name);
        }
        if (present("$from/$name")) {
            must(@rename("$from/$name", "$to/$name"), $name);
        }
    }
}

/** Takes such an exchange back. */
function restoreFiles(array $asked): void
{
    ['from' => $from, 'to' => $to, 'aside' => $aside] = $asked;
    // One that an earlier panel began has none yet.
    @mkdir("$aside/after", 0750, true);
    foreach (noted($aside, 'files') ?? [] as $name => $was) {
        $name = nameNoted((string) $name);
        $moved = $was ? present("$aside/before/$name") : !present("$from/$name");
        if ($moved && present("$to/$name") && !present("$aside/after/$name")) {
            must(@rename("$to/$name", "$aside/after/$name"), $name);
        }
        if ($was && present("$aside/before/$name")) {
            must(@rename("$aside/before/$name", "$to/$name"), $name);
        }
    }
}

function present(string $path): bool
{
    return file_exists($path) || is_link($path);
}

/** Has the application write nothing for visitors; WordPress takes it for ten minutes at most. */
function closeSite(string $folder): void
{
    save("$folder/.maintenance", "<?php\n\$upgrading = " . time() . ";\n");
}

function openSite(string $folder): void
{
    @unlink("$folder/.maintenance");
}

function change(array $asked): never
{
    $folder = $asked['folder'] ?? '';
    switch ($asked['verb']) {
        case 'state':
            $ready = noted($asked['aside'], 'ready');
            $failed = noted($asked['aside'], 'failed');
            answer(['failed' => $failed['code'] ?? null, 'ready' => $ready !== null, 'done' => noted($asked['aside'], 'done') !== null, 'answered' => $ready['answered'] ?? false]);

        case 'note':
            note($asked['aside'], $asked['name'], $asked['content']);
            answer([]);

        case 'copy':
            closeSite($folder);
            $own = databaseOf($folder);
            if ($own !== null && noted($asked['aside'], 'tables') === null) {
                $db = connected($asked);
                [$base, $prefix] = $own;
                $tables = tables($db, $base, $prefix);
                foreach ($tables as $table) {
                    copyTable($db, [$base, $table], [$base, aside('old', $table)]);
                }
                note($asked['aside'], 'tables', ['base' => $base, 'tables' => $tables]);
            }
            answer([]);

        case 'close':
            closeSite($folder);
            answer([]);

        case 'kept':
            openSite($asked['to']);
            note($asked['aside'], 'done', []);
            answer([]);

        case 'exchange':
            exchangeFiles($asked);
            answer(['version' => version($asked['to'])]);

        case 'back':
            restoreFiles($asked);
            $copied = noted($asked['aside'], 'tables');
            $tables = $copied['tables'] ?? $asked['tables'] ?? [];
            if ($tables !== []) {
                $db = connected($asked);
                $base = $copied['base'] ?? databaseOf($asked['to'])[0];
                exchangeTables($db, $base, $tables, 'old', null);
                dropTables($db, $base, array_map(fn ($table) => aside('new', $table), $tables));
            }
            openSite($asked['to']);
            answer([]);

        case 'tidy':
            openSite($asked['to']);
            // Where there is no room to note it, what is left is removed all the same.
            if (is_dir($asked['aside']) && @file_put_contents("{$asked['aside']}/done.json", '[]') !== 2) {
                @unlink("{$asked['aside']}/done.json");
            }
            $copied = noted($asked['aside'], 'tables');
            if ($copied !== null) {
                $copies = array_map(fn ($table) => aside('old', $table), $copied['tables']);
                dropTables(connected($asked), $copied['base'], $copies);
            }
            answer([]);
    }
    refuse('an unknown verb');
}
