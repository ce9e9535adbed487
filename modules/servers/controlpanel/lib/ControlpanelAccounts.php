<?php

declare(strict_types=1);

/** The panel's clients that belong to this billing system, in the form of its server sync. */
final class ControlpanelAccounts
{
    /** A site carries all its aliases: smaller pages keep within what is read of one answer. */
    private const SITES_A_PAGE = 50;

    /** @return array<int, array<string, string>> */
    public static function all(ControlpanelClient $client, string $prefix): array
    {
        $domains = self::domains($client);
        $accounts = [];
        foreach (ControlpanelReference::rows($client, $prefix) as $row) {
            $state = ControlpanelJson::text($row, 'estado');
            // What is being deleted is as good as gone.
            if ($state === 'eliminando') {
                continue;
            }
            $name = ControlpanelChecks::name(ControlpanelJson::text($row, 'cliente'));
            $accounts[] = [
                'email' => self::email($row),
                'username' => $name,
                'domain' => $domains[$name] ?? '',
                'uniqueIdentifier' => $name,
                'product' => ControlpanelText::message(ControlpanelJson::text($row, 'plan'), 100),
                'primaryip' => '',
                'created' => self::created($row),
                'status' => self::status($state),
            ];
        }
        return $accounts;
    }

    /** @return array<string, string> each client's oldest site, by the client's name */
    private static function domains(ControlpanelClient $client): array
    {
        $domains = [];
        $oldest = [];
        foreach (ControlpanelPages::rows($client, '/sitios', self::SITES_A_PAGE) as $row) {
            $name = ControlpanelJson::text($row, 'cliente');
            $created = ControlpanelJson::text($row, 'creado');
            if (isset($oldest[$name]) && strcmp($oldest[$name], $created) <= 0) {
                continue;
            }
            $domain = ControlpanelJson::text($row, 'domain');
            if (preg_match('/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/D', $domain) !== 1) {
                throw ControlpanelAnswer::unexpected('a site has no domain name');
            }
            $oldest[$name] = $created;
            $domains[$name] = $domain;
        }
        return $domains;
    }

    private static function email(\stdClass $row): string
    {
        $email = ControlpanelJson::text($row, 'correo');
        if ($email !== '' && filter_var($email, FILTER_VALIDATE_EMAIL) === false) {
            throw ControlpanelAnswer::unexpected('a client\'s e-mail address is none');
        }
        return $email;
    }

    private static function created(\stdClass $row): string
    {
        $time = strtotime(ControlpanelJson::text($row, 'creado'));
        if ($time === false) {
            throw ControlpanelAnswer::unexpected('a client\'s date is missing');
        }
        return date('Y-m-d H:i:s', $time);
    }

    private static function status(string $state): string
    {
        $names = ['activo' => ['ACTIVE', 'Active'], 'suspendido' => ['SUSPENDED', 'Suspended']];
        if (!isset($names[$state])) {
            throw ControlpanelAnswer::unexpected('a client has no state');
        }
        $constant = '\\WHMCS\\Service\\Status::' . $names[$state][0];
        return class_exists('\\WHMCS\\Service\\Status') && defined($constant)
            ? (string) constant($constant) : $names[$state][1];
    }
}
