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

    /** The service that a client of the panel was made for, null for one that is not of this billing system. */
    public static function serviceOf(\stdClass $client, string $prefix): ?int
    {
        $reference = ControlpanelJson::text($client, 'referencia');
        $id = strncmp($reference, $prefix, strlen($prefix)) === 0 ? substr($reference, strlen($prefix)) : '';
        return preg_match('/^[1-9][0-9]{0,17}$/D', $id) === 1 ? (int) $id : null;
    }

    /** @return \Generator<int, \stdClass> the panel's clients that were made for this billing system */
    public static function rows(ControlpanelClient $client, string $prefix): \Generator
    {
        foreach (ControlpanelPages::rows($client, '/clientes') as $row) {
            if (self::serviceOf($row, $prefix) !== null) {
                yield $row;
            }
        }
    }

    /** @return array<string, int> service id by client name */
    public static function services(ControlpanelClient $client, string $prefix): array
    {
        $services = [];
        foreach (self::rows($client, $prefix) as $row) {
            $name = ControlpanelChecks::name(ControlpanelJson::text($row, 'cliente'));
            $services[$name] = (int) self::serviceOf($row, $prefix);
        }
        return $services;
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
