// Works on a site's DokuWiki, beside what is the same for every application.

/** It keeps its content in files. */
function databaseOf(string $folder): ?array
{
    return null;
}

begin($asked);
if (!isItsOwn($asked['verb'])) {
    change($asked);
}

$folder = $asked['folder'];
if ($asked['verb'] === 'install') {
    // Colons separate the fields of a line, which ends at the first #: another address stands there then, since
    // this one would take the groups along and with none no password can be chosen.
    $email = str_contains($asked['email'], '#') ? "{$asked['login']}@mail.invalid" : $asked['email'];
    $fields = [$asked['login'], password_hash(bin2hex(random_bytes(32)), PASSWORD_BCRYPT), $asked['login'], $email, 'admin,user'];
    $line = implode(':', array_map(fn ($field) => preg_replace('/[\\\\:]/', '\\\\$0', $field), $fields));
    save("$folder/.dokuwiki/conf/users.auth.php", "# <?php exit()?>\n$line\n");
    save("$folder/.dokuwiki/conf/acl.auth.php", "# <?php exit()?>\n*\t@ALL\t1\n*\t@user\t8\n");
    answer(['language' => is_dir("$folder/inc/lang/{$asked['own']}") ? $asked['language'] : 'en_US']);
}
if ($asked['verb'] === 'upgrade') {
    // What was compiled of scripts and styles is made anew.
    touch("$folder/.dokuwiki/conf/local.php");
    answer(['version' => version($folder)]);
}

pretendRequest($asked['url']);
$_SERVER['SCRIPT_NAME'] = '/doku.php';
$_SERVER['SCRIPT_FILENAME'] = "$folder/doku.php";
error_reporting(E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR);
define('DOKU_INC', "$folder/");
define('DOKU_URL', rtrim($asked['url'], '/') . '/');
define('DOKU_DISABLE_GZIP_OUTPUT', 1);
if ($asked['verb'] === 'check') {
    watchFrontPage();
    ob_start();
    require "$folder/doku.php";
    exit(0);
}
define('NOSESSION', true);
require "$folder/inc/init.php";
// As DokuWiki does when somebody forgot a password.
$token = bin2hex(random_bytes(16));
io_saveFile("{$conf['cachedir']}/{$token[0]}/$token.pwauth", $asked['login']);
$mail = new Mailer();
$mail->to($asked['email']);
$mail->subject($asked['subject']);
$mail->setBody(str_replace('{enlace}', wl('', ['do' => 'resendpwd', 'pwauth' => $token], true, '&'), $asked['text']));
answer(['mailed' => $mail->send() === true]);
