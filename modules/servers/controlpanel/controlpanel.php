<?php

declare(strict_types=1);

/*
 * Provisioning module for WHMCS-type billing systems: the functions that it calls, and nothing else.
 * Plain PHP 7.4 to 8.5 with the curl extension. How to install it is in README.md.
 */

if (!defined('WHMCS')) {
    exit('This file cannot be accessed directly');
}

require_once __DIR__ . '/lib/ControlpanelFailure.php';
require_once __DIR__ . '/lib/ControlpanelJson.php';
require_once __DIR__ . '/lib/ControlpanelText.php';
require_once __DIR__ . '/lib/ControlpanelHints.php';
require_once __DIR__ . '/lib/ControlpanelChecks.php';
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
require_once __DIR__ . '/lib/ControlpanelServiceTab.php';
require_once __DIR__ . '/lib/ControlpanelSignIn.php';
require_once __DIR__ . '/lib/ControlpanelAccounts.php';
require_once __DIR__ . '/lib/ControlpanelProperties.php';
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
        // Server sync and usage billing know a service by the client's name, which the module keeps in its username.
        'ListAccountsUniqueIdentifierDisplayName' => 'Panel client',
        'ListAccountsUniqueIdentifierField' => 'username',
        'ListAccountsProductField' => 'configoption1',
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
        foreach (ControlpanelPages::rows($call->client(ControlpanelClient::PLAN_LIST_SECONDS), '/planes') as $row) {
            $name = ControlpanelJson::text($row, 'plan');
            if ($name === '' || $name !== ControlpanelText::message($name, 200)) {
                throw ControlpanelAnswer::unexpected('a plan has no proper name');
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
        $client = $call->service()->create($wanted + ['idioma' => $call->params->language()]);
        ControlpanelProperties::overwrite($call, $client);
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
        ControlpanelProperties::overwrite($call, $call->service()->sendResetLink());
    });
}

/**
 * The customer's page, by clientarea.tpl or the theme's own in its place.
 *
 * @param mixed $params
 * @return array<string, mixed>
 */
function controlpanel_ClientArea($params = [])
{
    $call = ControlpanelAction::of('ClientArea', $params);
    $language = $call->params->language();
    try {
        $call->params->refuseAddon();
        $origin = ControlpanelServer::fromParams($call->params)->origin;
        $usage = $call->service(ControlpanelClient::CLIENT_AREA_SECONDS)->usage();
        return ControlpanelClientArea::of($usage, $origin, $language);
    } catch (\Throwable $thrown) {
        $call->explain($thrown);
        return ControlpanelClientArea::neutral($language);
    }
}

/** @return array<string, string> function by label, for administrators */
function controlpanel_AdminCustomButtonArray()
{
    return ['Send the link again' => 'SendLink', 'Refresh use' => 'RefreshUse'];
}

/** @return array<string, string> none: the customer's page is read-only */
function controlpanel_ClientAreaCustomButtonArray()
{
    return [];
}

/**
 * Button: mails the customer a link to activate the login, or to choose a new password.
 *
 * @param mixed $params
 * @return string
 */
function controlpanel_SendLink($params = [])
{
    return ControlpanelAction::onService('SendLink', $params, static function (ControlpanelAction $call) {
        ControlpanelProperties::overwrite($call, $call->service()->sendLink($call->params));
    });
}

/**
 * Button: copies the use of this service alone.
 *
 * @param mixed $params
 * @return string
 */
function controlpanel_RefreshUse($params = [])
{
    return ControlpanelAction::onService('RefreshUse', $params, static function (ControlpanelAction $call) {
        $usage = $call->service()->usage();
        $name = ControlpanelUsage::copy($usage, $call->params->id('serviceid'), $call->params->id('serverid'));
        ControlpanelProperties::overwrite($call, $name);
    });
}

/**
 * @param mixed $params
 * @return array<string, string> HTML by label
 */
function controlpanel_AdminServicesTabFields($params = [])
{
    $call = ControlpanelAction::of('AdminServicesTabFields', $params);
    try {
        return ControlpanelServiceTab::fields($call);
    } catch (\Throwable $thrown) {
        return ControlpanelServiceTab::failure($call->explain($thrown));
    }
}

/**
 * The fields are read-only: nothing to save.
 *
 * @param mixed $params
 * @return void
 */
function controlpanel_AdminServicesTabFieldsSave($params = [])
{
}

/**
 * @param mixed $params
 * @return array{success: bool, errorMsg: string}
 */
function controlpanel_ServiceSingleSignOn($params = [])
{
    return ControlpanelSignIn::refused(ControlpanelAction::of('ServiceSingleSignOn', $params)->params);
}

/**
 * @param mixed $params
 * @return array{success: bool, errorMsg: string}
 */
function controlpanel_AdminSingleSignOn($params = [])
{
    return ControlpanelSignIn::refused(ControlpanelAction::of('AdminSingleSignOn', $params)->params);
}

/**
 * @param mixed $params
 * @return string HTML, on the server's page
 */
function controlpanel_AdminLink($params = [])
{
    return ControlpanelSignIn::link(ControlpanelAction::of('AdminLink', $params)->params);
}

/**
 * @param mixed $params
 * @return string HTML, on the service's page
 */
function controlpanel_LoginLink($params = [])
{
    return ControlpanelSignIn::link(ControlpanelAction::of('LoginLink', $params)->params);
}

/**
 * Server sync: the clients that were made for this billing system, and no others.
 *
 * @param mixed $params
 * @return array{success: bool, accounts?: array<int, array<string, string>>, error?: string}
 */
function controlpanel_ListAccounts($params = [])
{
    $accounts = [];
    $result = ControlpanelAction::run('ListAccounts', $params, static function (ControlpanelAction $call) use (&$accounts) {
        $client = $call->client(ControlpanelClient::LISTING_SECONDS);
        $accounts = ControlpanelAccounts::all($client, ControlpanelReference::prefix());
    });
    return $result === 'success'
        ? ['success' => true, 'accounts' => $accounts]
        : ['success' => false, 'error' => $result];
}

/**
 * Usage billing, since version 7.9 of the billing system.
 *
 * @param mixed $params
 * @return object|null null where the billing system knows no usage billing
 */
function controlpanel_MetricProvider($params = [])
{
    if (!interface_exists('\\WHMCS\\UsageBilling\\Contracts\\Metrics\\ProviderInterface')) {
        return null;
    }
    require_once __DIR__ . '/lib/ControlpanelMetrics.php';
    return new ControlpanelMetrics(ControlpanelAction::of('MetricProvider', $params));
}

/**
 * @param mixed $params
 * @return string
 */
function controlpanel_UsageUpdate($params = [])
{
    return ControlpanelAction::run('UsageUpdate', $params, static function (ControlpanelAction $call) {
        $server = $call->params->id('serverid');
        $unreadable = ControlpanelUsage::update(
            $call->client(ControlpanelClient::LISTING_SECONDS),
            $server,
            ControlpanelReference::prefix()
        );
        if ($unreadable > 0) {
            throw ControlpanelAnswer::unexpected('the use of ' . $unreadable . ' clients could not be read');
        }
    });
}
