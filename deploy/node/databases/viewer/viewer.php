// Runs Adminer for one request, in the cage of the client whose database it shows. What was asked is in $asked, told by
// the panel; what is answered goes to the standard output in parts: a letter, a length, and so many bytes.
//   H  {status, headers}, before any of the page    B  a part of the page
//   S  what the session keeps for the next request  E  the end, without which the answer is not whole

error_reporting(0);
const LARGEST_SESSION = 65536;
const LARGEST_PART = 65536;

function viewer_tell(string $kind, string $bytes): string { return $kind . sprintf('%08x', strlen($bytes)) . $bytes; }

/** In place of PHP's own, which keeps nothing on the command line. */
function viewer_header(string $line): void {
  global $viewer_head;
  if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found)) {
    $viewer_head['status'] = (int) $found[1];
  } elseif (preg_match('~^(Content-Type|Content-Disposition|Location):\s*(.*)$~i', $line, $found)) {
    $name = strtolower($found[1]);
    $viewer_head['headers'][$name] = $found[2];
    if ($name === 'location') $viewer_head['status'] = 303;
  }
}

/** In place of PHP's sessions: the panel keeps what $_SESSION holds. */
function viewer_session(): bool { return true; }

function viewer_page(string $bytes): string {
  global $viewer_head;
  $head = '';
  if ($viewer_head !== null) {
    $head = viewer_tell('H', json_encode($viewer_head, JSON_INVALID_UTF8_SUBSTITUTE));
    $viewer_head = null;
  }
  foreach ($bytes === '' ? [] : str_split($bytes, LARGEST_PART) as $part) $head .= viewer_tell('B', $part);
  return $head;
}

function viewer_end(): void {
  while (ob_get_level() > 0) ob_end_flush();
  // What was asked before is a list that grows with each statement.
  foreach ([[], ['queries' => 1], ['queries' => 1, 'messages' => 1]] as $without) {
    $kept = serialize(array_diff_key($_SESSION, $without));
    if (strlen($kept) <= LARGEST_SESSION) break;
  }
  $fault = error_get_last()['type'] ?? 0;
  if ($fault & (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR)) return;
  echo viewer_page(''), viewer_tell('S', $kept), viewer_tell('E', '');
}

function adminer_object(): Adminer {
  return new class extends Adminer {
    function name() { return 'Adminer'; }
    function credentials() { return viewer_credentials(); }
    function permanentLogin($create = false) { return false; }
    function serverName($server) { return 'MariaDB'; }
    function database() { return DB; }
    function databases($flush = true) { return [DB]; }
    function login($login, $password) { return true; }
    function csp() { return []; }
    // Its own would be looked for in the client's folders.
    function css() { return []; }
    function importServerPath() { return ''; }
    function loginForm() { echo '<p>', h(VIEWER_OVER), "\n"; }
  };
}

function viewer_credentials(): array {
  global $viewer_account;
  return $viewer_account;
}

(function (array $asked): void {
  global $viewer_head, $viewer_account;
  $viewer_head = ['status' => 200, 'headers' => ['content-type' => 'text/html; charset=utf-8']];
  $viewer_account = [$asked['server'], $asked['account'], $asked['password']];
  define('SID', '');
  define('VIEWER_NONCE', $asked['nonce']);
  define('VIEWER_OVER', $asked['over']);
  parse_str($asked['query'], $_GET);
  parse_str($asked['form'], $_POST);
  // Nothing but this database at this server, whatever is asked for.
  $others = ['server', 'sqlite', 'sqlite2', 'pgsql', 'oracle', 'mssql', 'mongo', 'elastic', 'simpledb', 'clickhouse', 'firebird', 'ns'];
  foreach ($others as $one) unset($_GET[$one]);
  unset($_POST['auth'], $_POST['logout']);
  $_GET['username'] = $asked['base'];
  if (!isset($_GET['file'])) $_GET['db'] = $asked['base'];
  foreach ($asked['files'] as ['field' => $field, 'name' => $name, 'content' => $content]) {
    $path = tempnam('/tmp', 'up');
    $bytes = base64_decode($content);
    file_put_contents($path, $bytes);
    $told = ['name' => $name, 'type' => '', 'tmp_name' => $path, 'error' => 0, 'size' => strlen($bytes)];
    if (preg_match('~^(\w+)\[(.*)\]$~', $field, $found)) {
      foreach ($told as $key => $value) {
        if ($found[2] === '') $_FILES[$found[1]][$key][] = $value;
        else $_FILES[$found[1]][$key][$found[2]] = $value;
      }
    } else {
      $_FILES[$field] = $told;
    }
  }
  // It asks its makers for a newer version unless it knows of one.
  $_COOKIE = ['adminer_version' => '4.8.1'];
  $_REQUEST = $_GET + $_POST;
  $_SERVER = [
    'REQUEST_METHOD' => $asked['method'],
    'REQUEST_URI' => $asked['path'] . ($asked['query'] === '' ? '' : "?{$asked['query']}"),
    'QUERY_STRING' => $asked['query'],
    'HTTP_ACCEPT_LANGUAGE' => $asked['language'],
    'HTTP_X_REQUESTED_WITH' => $asked['script'] ? 'XMLHttpRequest' : '',
    'HTTP_HOST' => $asked['host'],
    'HTTPS' => 'on',
    'REMOTE_ADDR' => '127.0.0.1',
    'SERVER_PROTOCOL' => 'HTTP/1.1',
    'PHP_SELF' => '/index.php',
    'REQUEST_TIME' => time(),
    'REQUEST_TIME_FLOAT' => microtime(true),
  ];
  $kept = $asked['kept'] === '' ? [] : unserialize(base64_decode($asked['kept']), ['allowed_classes' => false]);
  $_SESSION = is_array($kept) ? $kept : [];
  $_SESSION['token'] = $asked['token'];
  $_SESSION['pwds']['server'][''][$asked['base']] = '';
  $_SESSION['db']['server'][''][$asked['base']][$asked['base']] = true;
})($asked);
unset($asked);
register_shutdown_function('viewer_end');
ob_start('viewer_page', 65536);
include '/run/viewer/adminer.php';
