<?php

declare(strict_types=1);

/** What an administrator of the billing system can do about a refusal, by the panel's code. */
final class ControlpanelHints
{
    private const BY_CODE = [
        'correo_distinto' => 'The client has another e-mail address in the panel: changing it in the billing system'
            . ' does not change it there. Change it in the panel (the client\'s page), or put the old address back'
            . ' here; then run Create again.',
        'dominio_ocupado' => 'Another client of the panel has this domain name, or one above or below it. Remove it'
            . ' there or correct the domain of the service.',
        'plan_no_existe' => 'Make the plan in the panel, or correct Plan in the product\'s module settings.',
        'limite_del_plan' => 'The client\'s plan allows no more. Assign a larger plan first.',
        'sin_acceso' => 'Use the button "Send the link again": it makes the login and mails the first link.',
        'sin_correo' => 'The client has no e-mail address in the panel. Set it there, on the client\'s page.',
        'solo_cuentas_de_token' => 'The client was made by a person in the panel. Make its login there.',
        'cliente_suspendido' => 'Unsuspend the service first.',
        'no_con_token' => 'The module needs an API token, and this can be done only by a person in the panel.',
        'sin_espacio' => 'The panel\'s disk is full. Free space on the panel\'s server, then repeat it.',
        'no_disponible' => 'The panel is starting or busy. Repeat it in a minute.',
        'credencial_invalida' => 'The server\'s Password is not a token of this panel. Create a new API token in the'
            . ' panel and put it into the server\'s Password.',
        'token_caducado' => 'Create a new API token in the panel and put it into the server\'s Password.',
        'token_revocado' => 'Create a new API token in the panel and put it into the server\'s Password.',
    ];

    /** A sentence for this code, '' where the panel's own text says enough. */
    public static function of(string $code): string
    {
        return self::BY_CODE[$code] ?? '';
    }
}
