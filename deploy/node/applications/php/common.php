// Works on a site's application as its client, in the client's cage. `$asked` tells what is wanted; the last line that
// this says, marked, is the answer. Whatever fails says why and ends with 1.
umask(0027);

function answer(array $answer): never
{
    file_put_contents('php://stdout', "\n@panel " . json_encode($answer, JSON_THROW_ON_ERROR) . "\n");
    // Nothing that the application or what extends it would do at the end.
    posix_kill(getmypid(), 9);
    exit(0);
}

/** What the application's manifest tells. */
function app(string $name): mixed
{
    return $GLOBALS['asked']['app'][$name];
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
    $path = "$folder/" . app('settings');
    $head = is_file($path) ? (string) @file_get_contents($path, false, null, 0, 400) : '';
    return preg_match('/^ \* Installation ([0-9A-Z]{26})$/m', $head, $found) ? $found[1] : null;
}

function version(string $folder): ?string
{
    ['file' => $file, 'pattern' => $pattern] = app('version');
    $path = "$folder/$file";
    $text = is_file($path) ? (string) @file_get_contents($path, false, null, 0, 8192) : '';
    return preg_match("\x01{$pattern}\x01m", $text, $found) ? $found[1] : null;
}

function look(string $folder, ?string $id): array
{
    $found = is_dir($folder) ? names($folder) : [];
    $own = $id !== null && installation($folder) === $id;
    $place = $own ? (is_file("$folder/" . app('entry')) ? 'whole' : 'begun') : 'none';
    return ['empty' => $found === [], 'version' => version($folder), 'place' => $place];
}

/** What an application expects of a request, which there is none of. */
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
    // What holds the settings may be a folder.
    [$first, $last] = [explode('/', app('settings'))[0], app('entry')];
    $order = [
        ...array_intersect($left, [$first]),
        ...array_diff($left, [$first, $last]),
        ...array_intersect($left, [$last]),
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
    register_shutdown_function(function () {
        $fatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
        $error = error_get_last();
        $bad = $error !== null && ($error['type'] & $fatal) !== 0;
        answer(['good' => !$bad && (int) http_response_code() < 500, 'why' => $bad ? substr($error['message'], 0, 300) : '']);
    });
}

/** What is the same for every application; the rest is left to its own program. */
function begin(array $asked): void
{
    switch ($asked['verb']) {
        case 'look':
            answer(look($asked['folder'], $asked['id'] ?? null));

        case 'place':
            place($asked['from'], $asked['to'], $asked['id']);
            answer(['version' => version($asked['to'])]);

        case 'write':
            foreach ($asked['folders'] as $name) {
                is_dir("{$asked['folder']}/$name") || must(@mkdir("{$asked['folder']}/$name", 0750, true), $name);
            }
            foreach ($asked['files'] as $name => $text) {
                save("{$asked['folder']}/$name", $text);
            }
            answer(['version' => version($asked['folder'])]);

        case 'empty':
            $db = connected($asked);
            dropTables($db, $asked['database'], column($db, 'SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?', $asked['database']));
            answer([]);
    }
}

/** Whether a verb is one of those for which the application itself is loaded. */
function isItsOwn(string $verb): bool
{
    return in_array($verb, ['install', 'mail', 'upgrade', 'check', 'session'], true);
}
