// Works on a site's MediaWiki, beside what is the same for every application.

/** What its settings name. */
function databaseOf(string $folder): ?array
{
    $text = must(@file_get_contents("$folder/LocalSettings.php"), 'LocalSettings.php');
    $named = function (string $name) use ($text) {
        $pattern = "/^\s*\\\$$name\s*=\s*(['\"])((?:\\\\.|(?!\\1).)*)\\1\s*;/m";
        return preg_match($pattern, $text, $found) === 1 ? stripslashes($found[2]) : null;
    };
    return [$named('wgDBname') ?? refuse('LocalSettings.php: wgDBname'), $named('wgDBprefix') ?? ''];
}

begin($asked);
if (!isItsOwn($asked['verb'])) {
    change($asked);
}

$folder = $asked['folder'];
pretendRequest($asked['url']);
$_SERVER['SCRIPT_NAME'] = '/index.php';
error_reporting(E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR);
chdir($folder);
if ($asked['verb'] === 'check') {
    watchFrontPage();
    ob_start();
    // Without a language it would be a redirection.
    $_GET = ['title' => 'Special:Version', 'uselang' => 'en'];
    $_SERVER['REQUEST_URI'] = '/index.php?title=Special:Version&uselang=en';
    require "$folder/index.php";
    exit(0);
}
require "$folder/maintenance/Maintenance.php";

class ControlpanelWork extends Maintenance
{
    public function execute()
    {
        $asked = $GLOBALS['asked'];
        $services = MediaWiki\MediaWikiServices::getInstance();
        $user = $services->getUserFactory()->newFromName($asked['login']);
        if (!$user || $user->getId() === 0) {
            refuse('MediaWiki was not installed');
        }
        if ($asked['verb'] === 'install') {
            $user->setEmail($asked['email']);
            $user->confirmEmail();
            $user->saveSettings();
            $GLOBALS['controlpanel_told'] = ['language' => $asked['language']];
            return;
        }
        // As MediaWiki does when somebody forgot a password, which it forgets itself after a week.
        $asks = MediaWiki\Auth\TemporaryPasswordAuthenticationRequest::newRandom();
        $asks->username = $user->getName();
        $asks->mailpassword = false;
        $services->getAuthManager()->changeAuthenticationData($asks);
        $told = str_replace('{clave}', $asks->password, $asked['text']);
        $GLOBALS['controlpanel_told'] = ['mailed' => $user->sendMail($asked['subject'], $told)->isOK()];
    }
}
$maintClass = ControlpanelWork::class;
$argv = ['controlpanel'];
require "$folder/maintenance/doMaintenance.php";
// Once all is written.
answer($controlpanel_told);
