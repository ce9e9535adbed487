<?php

/*
 * Stands for the billing system: defines what it gives to a module, calls the module's functions with the parameters
 * read from standard input, and writes what came of it as JSON. Any warning, notice, deprecation or output of the
 * module makes it exit with 3, even where the code under test swallowed it.
 */

define('WHMCS', true);

$warnings = [];
set_error_handler(static function (int $level, string $message, string $file, int $line) use (&$warnings): bool {
    $warnings[] = $message . ' at ' . basename($file) . ':' . $line;
    return true;
});

$log = [];

/** @param mixed $parts */
function logModuleCall(...$parts): void
{
    global $log, $input;
    $log[] = $parts;
    if (!empty($input['logFails'])) {
        throw new \RuntimeException('the log is full');
    }
}

/**
 * What JSON cannot say: {"$bytes": base64}, {"$object": true}, {"$float": n}, {"$repeat": [text, times]},
 * {"$model": "working" or "broken"}.
 *
 * @param mixed $value
 * @return mixed
 */
function runner_decode($value)
{
    if (!is_array($value)) {
        return $value;
    }
    if (isset($value['$bytes'])) {
        return base64_decode($value['$bytes']);
    }
    if (isset($value['$object'])) {
        return new \stdClass();
    }
    if (isset($value['$model'])) {
        return new RunnerModel($value['$model'] === 'broken');
    }
    if (isset($value['$float'])) {
        return (float) $value['$float'];
    }
    if (isset($value['$repeat'])) {
        return str_repeat($value['$repeat'][0], $value['$repeat'][1]);
    }
    return array_map('runner_decode', $value);
}

/**
 * @param array<string, mixed> $call
 * @return array<string, mixed>
 */
function runner_call(array $call): array
{
    $arguments = array_key_exists('params', $call) ? [runner_decode($call['params'])] : [];
    try {
        if (isset($call['hurried'])) {
            return ['value' => runner_hurried($arguments[0], (float) $call['hurried'])];
        }
        $value = call_user_func_array('controlpanel_' . $call['fn'], $arguments);
        if (isset($call['method'])) {
            $value = call_user_func_array([$value, $call['method'][0]], array_slice($call['method'], 1));
        }
        return ['value' => $value, 'type' => gettype($value)];
    } catch (\Throwable $thrown) {
        return ['thrown' => get_class($thrown), 'message' => $thrown->getMessage()];
    }
}

/**
 * Terminate with another time limit than the built-in one, so that a test need not wait for a minute.
 *
 * @param array<string, mixed> $params
 */
function runner_hurried(array $params, float $seconds): string
{
    return ControlpanelAction::run('TerminateAccount', $params, static function ($call) use ($seconds) {
        $server = ControlpanelServer::fromParams($call->params);
        $client = new ControlpanelClient($server, new ControlpanelLog('TerminateAccount', ''), null, $seconds);
        (new ControlpanelService($client, ControlpanelReference::ofService($call->params->id('serviceid'))))->terminate();
    });
}

$input = json_decode((string) stream_get_contents(STDIN), true);
$system = $input['system'];
if ($system['source'] !== 'nothing') {
    require __DIR__ . '/stubs/Capsule.php';
    \WHMCS\Database\Capsule::$tables['tblhosting'] = $input['rows'];
}
if ($system['source'] === 'setting' || $system['source'] === 'broken') {
    require __DIR__ . '/stubs/Setting.php';
    \WHMCS\Config\Setting::$values['SystemURL'] = $system['url'];
    \WHMCS\Config\Setting::$broken = $system['source'] === 'broken';
} elseif ($system['source'] === 'config') {
    $CONFIG = ['SystemURL' => $system['url']];
} elseif ($system['source'] === 'table') {
    \WHMCS\Database\Capsule::$tables['tblconfiguration'] = [['setting' => 'SystemURL', 'value' => $system['url']]];
}

require __DIR__ . '/stubs/Model.php';
if (!empty($input['usageBilling'])) {
    require __DIR__ . '/stubs/UsageBilling.php';
}

ob_start();
$before = [get_defined_functions()['user'], get_declared_classes()];
require $input['module'] . '/controlpanel.php';
$defined = array_merge(
    array_diff(get_defined_functions()['user'], $before[0]),
    array_diff(get_declared_classes(), $before[1])
);
$results = array_map('runner_call', $input['calls']);
$printed = (string) ob_get_clean();

$capsule = class_exists('\\WHMCS\\Database\\Capsule', false);
echo json_encode([
    'results' => $results,
    'log' => $log,
    'rows' => $capsule ? \WHMCS\Database\Capsule::$tables['tblhosting'] : [],
    'writes' => $capsule ? \WHMCS\Database\Capsule::$writes : [],
    'saved' => RunnerModel::$saved,
    'defined' => array_values($defined),
    'version' => PHP_VERSION,
], JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);

if ($printed !== '') {
    $warnings[] = 'printed: ' . $printed;
}
if ($warnings !== []) {
    fwrite(STDERR, implode("\n", array_unique($warnings)));
    exit(3);
}
