<?php

declare(strict_types=1);

/** The way into the panel: a link. An API token opens no session, so there is no single sign-on. */
final class ControlpanelSignIn
{
    private const REFUSALS = [
        'en' => 'Sign in to the panel itself%s with your own e-mail address and password.',
        'es' => 'Entre en el propio panel%s con su correo y su contraseña.',
    ];

    /** @return array{success: bool, errorMsg: string} */
    public static function refused(ControlpanelParams $params): array
    {
        $address = self::address($params);
        $at = $address === '' ? '' : ' (' . $address . ')';
        return ['success' => false, 'errorMsg' => sprintf(self::REFUSALS[$params->language()], $at)];
    }

    /** @return string HTML; '' while the server's settings name no panel */
    public static function link(ControlpanelParams $params): string
    {
        $address = self::address($params);
        return $address === '' ? '' : '<a class="btn btn-default" target="_blank" rel="noopener noreferrer" href="'
            . ControlpanelText::html($address) . '">Open the control panel</a>';
    }

    private static function address(ControlpanelParams $params): string
    {
        try {
            return ControlpanelServer::fromParams($params)->origin . '/';
        } catch (ControlpanelFailure $unusable) {
            return '';
        }
    }
}
