<?php

declare(strict_types=1);

/*
 * Provisioning module for WHMCS-type billing systems: the functions that it calls, and nothing else.
 * Plain PHP 7.4 to 8.4 with the curl extension. How to install it is in README.md.
 */

if (!defined('WHMCS')) {
    exit('This file cannot be accessed directly');
}

require_once __DIR__ . '/lib/ControlpanelFailure.php';
require_once __DIR__ . '/lib/ControlpanelJson.php';
require_once __DIR__ . '/lib/ControlpanelText.php';
require_once __DIR__ . '/lib/ControlpanelParams.php';
require_once __DIR__ . '/lib/ControlpanelServer.php';
require_once __DIR__ . '/lib/ControlpanelReference.php';
require_once __DIR__ . '/lib/ControlpanelAnswer.php';
require_once __DIR__ . '/lib/ControlpanelLog.php';
require_once __DIR__ . '/lib/ControlpanelClient.php';
require_once __DIR__ . '/lib/ControlpanelPages.php';
require_once __DIR__ . '/lib/ControlpanelService.php';
require_once __DIR__ . '/lib/ControlpanelUsage.php';
require_once __DIR__ . '/lib/ControlpanelClientArea.php';
require_once __DIR__ . '/lib/ControlpanelAction.php';

/** @return array<string, mixed> */
function controlpanel_MetaData()
{
    return [
        'DisplayName' => 'Control Panel',
        'APIVersion' => '1.1',
        'RequiresServer' => true,
        // The same: the panel speaks HTTPS only, whatever the server's SSL box says.
        'DefaultNonSSLPort' => '2087',
        'DefaultSSLPort' => '2087',
    ];
}

/** @return array<string, array<string, mixed>> */
function controlpanel_ConfigOptions()
{
    return [
        'Plan' => [
            'FriendlyName' => 'Plan',
            'Type' => 'text',
            'Size' => '40',
            'Description' => 'Exact name of a plan of the panel; empty for no plan',
            'Loader' => 'controlpanel_PlanLoader',
            'SimpleMode' => true,
        ],
    ];
}

/**
 * The plans to choose from. The billing system shows the exception's text where they cannot be read.
 *
 * @param mixed $params
 * @return array<int|string, string> label by value; '' is no plan
 * @throws \Exception
 */
function controlpanel_PlanLoader($params = [])
{
    $call = ControlpanelAction::of('PlanLoader', $params);
    try {
        $plans = ['' => 'No plan'];
        foreach (ControlpanelPages::rows($call->client(), '/planes') as $row) {
            $name = ControlpanelJson::text($row, 'plan');
            if ($name === '') {
                throw ControlpanelAnswer::unexpected('a plan has no name');
            }
            $plans[$name] = $name;
        }
        return $plans;
    } catch (\Throwable $thrown) {
        throw new ControlpanelFailure($call->explain($thrown));
    }
}

/**
 * @param mixed $params
 * @return array{success: bool, error: string}
 */
function controlpanel_TestConnection($params = [])
{
    $result = ControlpanelAction::run('TestConnection', $params, static function (ControlpanelAction $call) {
        $json = $call->client()->request('GET', '/conexion')->expect(200);
        $isPanel = ControlpanelJson::text($json, 'panel') === 'controlpanel';
        if (!$isPanel || ControlpanelJson::text($json, 'credencial', 'tipo') !== 'token') {
            throw ControlpanelAnswer::unexpected('it is not this panel\'s, or not for an API token');
        }
    });
    return ['success' => $result === 'success', 'error' => $result === 'success' ? '' : $result];
}

/**
 * @param mixed $params
 * @return string
 */
function controlpanel_CreateAccount($params = [])
{
    return ControlpanelAction::onService('CreateAccount', $params, static function (ControlpanelAction $call) {
        $wanted = ['correo' => $call->params->email(), 'domain' => $call->params->domain()];
        $plan = $call->params->plan();
        if ($plan !== null) {
            $wanted['plan'] = $plan;
        }
        $name = $call->params->customerName();
        if ($name !== '') {
            $wanted['nombre'] = $name;
        }
        $call->service()->create($wanted + ['idioma' => $call->params->language()]);
    });
}

/**
 * @param mixed $params
 * @return string
 */
function controlpanel_SuspendAccount($params = [])
{
    return ControlpanelAction::onService('SuspendAccount', $params, static function (ControlpanelAction $call) {
        $call->service()->suspend(ControlpanelText::typed($call->params->text('suspendreason'), 200));
    });
}

/**
 * @param mixed $params
 * @return string
 */
function controlpanel_UnsuspendAccount($params = [])
{
    return ControlpanelAction::onService('UnsuspendAccount', $params, static function (ControlpanelAction $call) {
        $call->service()->unsuspend();
    });
}

/**
 * @param mixed $params
 * @return string
 */
function controlpanel_TerminateAccount($params = [])
{
    return ControlpanelAction::onService('TerminateAccount', $params, static function (ControlpanelAction $call) {
        $call->service()->terminate();
    });
}

/**
 * @param mixed $params
 * @return string
 */
function controlpanel_ChangePackage($params = [])
{
    return ControlpanelAction::onService('ChangePackage', $params, static function (ControlpanelAction $call) {
        $call->service()->changePlan($call->params->plan());
    });
}

/**
 * Mails the customer a reset link. The password typed in the billing system is not even read.
 *
 * @param mixed $params
 * @return string
 */
function controlpanel_ChangePassword($params = [])
{
    return ControlpanelAction::onService('ChangePassword', $params, static function (ControlpanelAction $call) {
        $call->service()->sendResetLink();
    });
}

/**
 * @param mixed $params
 * @return string HTML
 */
function controlpanel_ClientArea($params = [])
{
    $call = ControlpanelAction::of('ClientArea', $params);
    $language = $call->params->language();
    try {
        $call->params->refuseAddon();
        $origin = ControlpanelServer::fromParams($call->params)->origin;
        $usage = $call->service(ControlpanelClient::CLIENT_AREA_SECONDS)->usage();
        return ControlpanelClientArea::render($usage, $origin, $language);
    } catch (\Throwable $thrown) {
        $call->explain($thrown);
        return ControlpanelClientArea::neutral($language);
    }
}

/**
 * @param mixed $params
 * @return string
 */
function controlpanel_UsageUpdate($params = [])
{
    return ControlpanelAction::run('UsageUpdate', $params, static function (ControlpanelAction $call) {
        $server = $call->params->id('serverid');
        $unreadable = ControlpanelUsage::update($call->client(), $server, ControlpanelReference::prefix());
        if ($unreadable > 0) {
            throw ControlpanelAnswer::unexpected('the use of ' . $unreadable . ' clients could not be read');
        }
    });
}
