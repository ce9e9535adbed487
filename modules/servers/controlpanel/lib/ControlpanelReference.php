<?php

declare(strict_types=1);

/**
 * The name under which the panel knows a service of this billing system.
 *
 * It holds a hash of the billing system's own address, so that a staging copy of its database, with the same
 * token, finds nothing and can end nobody's hosting.
 */
final class ControlpanelReference
{
    /** The reference of one service. */
    public static function ofService(int $serviceId): string
    {
        return self::prefix() . $serviceId;
    }

    /** What all references of this billing system begin with. */
    public static function prefix(): string
    {
        $systemUrl = self::systemUrl();
        return $systemUrl === '' ? 'whmcs:' : 'whmcs-' . substr(hash('sha256', $systemUrl), 0, 8) . ':';
    }

    /**
     * SystemURL as it is stored. An exception on the way is not "no SystemURL": it would give another reference,
     * under which Terminate would find nothing and call it done. So it is let through.
     */
    private static function systemUrl(): string
    {
        $setting = '\\WHMCS\\Config\\Setting';
        if (class_exists($setting) && is_callable([$setting, 'getValue'])) {
            $value = call_user_func([$setting, 'getValue'], 'SystemURL');
            if (is_string($value) && $value !== '') {
                return $value;
            }
        }
        $value = $GLOBALS['CONFIG']['SystemURL'] ?? null;
        if (is_string($value) && $value !== '') {
            return $value;
        }
        $capsule = '\\WHMCS\\Database\\Capsule';
        if (!class_exists($capsule)) {
            return '';
        }
        $value = call_user_func([$capsule, 'table'], 'tblconfiguration')
            ->where('setting', 'SystemURL')
            ->value('value');
        return is_string($value) ? $value : '';
    }
}
