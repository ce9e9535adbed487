<?php

declare(strict_types=1);

/** What an administrator sees on the service's tab: the client as the panel tells it. HTML, every value escaped. */
final class ControlpanelServiceTab
{
    private const STATES = ['activo' => 'Active', 'suspendido' => 'Suspended', 'eliminando' => 'Being deleted'];
    private const LOGINS = ['pendiente' => 'Not activated yet', 'activo' => 'Active'];
    private const LINKS = ['en_cola' => 'waiting to be mailed', 'enviado' => 'mailed',
        'fallido' => 'the mail failed', 'gastado' => 'used', 'caducado' => 'expired'];

    /** @return array<string, string> HTML by label */
    public static function fields(ControlpanelAction $call): array
    {
        $call->params->refuseAddon();
        $origin = ControlpanelServer::fromParams($call->params)->origin;
        $service = $call->service(ControlpanelClient::CLIENT_AREA_SECONDS);
        $client = $service->client();
        $name = ControlpanelJson::text($client, 'cliente');
        $usage = $service->of($name, '/uso');
        $login = ControlpanelJson::text($client, 'acceso') === 'sin_acceso' ? null : $service->of($name, '/acceso');
        $link = '<a target="_blank" rel="noopener noreferrer" href="'
            . ControlpanelText::html($origin . '/panel/clientes/' . rawurlencode($name)) . '">'
            . ControlpanelText::html($name) . '</a>';
        return [
            'Panel client' => $link,
            'State' => self::escaped(self::state($client)),
            'Plan' => self::escaped(ControlpanelClientArea::plan($usage, 'en')),
            'E-mail in the panel' => self::escaped(self::email($client, $call->params)),
            'Login' => self::escaped(self::login($login)),
            'Use' => self::use($usage),
        ];
    }

    /** @return array<string, string> the cause instead of the fields */
    public static function failure(string $why): array
    {
        return ['Control panel' => self::escaped($why)];
    }

    private static function state(\stdClass $client): string
    {
        $state = ControlpanelJson::text($client, 'estado');
        $reason = ControlpanelJson::text($client, 'motivo');
        return (self::STATES[$state] ?? $state) . ($reason === '' ? '' : ': ' . $reason);
    }

    private static function email(\stdClass $client, ControlpanelParams $params): string
    {
        $email = ControlpanelJson::text($client, 'correo');
        $here = trim($params->text('clientsdetails', 'email'));
        $same = $here === '' || strcasecmp($email, $here) === 0;
        return ($email === '' ? 'None' : $email) . ($same ? '' : ' (another one than in the billing system)');
    }

    private static function login(?\stdClass $login): string
    {
        if ($login === null) {
            return 'None yet: "Send the link again" makes it';
        }
        $state = ControlpanelJson::text($login, 'estado');
        $link = ControlpanelJson::text($login, 'enlace', 'estado');
        $until = ControlpanelJson::text($login, 'enlace', 'caduca');
        return (self::LOGINS[$state] ?? $state)
            . ($link === '' ? '' : '; last link: ' . (self::LINKS[$link] ?? $link))
            . ($link === 'enviado' && $until !== '' ? ', good until ' . $until : '');
    }

    private static function use(\stdClass $usage): string
    {
        $lines = [];
        foreach (ControlpanelClientArea::rows($usage, 'en') as $row) {
            $note = $row['note'] === '' ? '' : ' (' . $row['note'] . ')';
            $lines[] = self::escaped($row['name'] . ': ' . $row['used'] . ' of ' . $row['limit'] . $note);
        }
        $lines[] = self::escaped(ControlpanelClientArea::age($usage, 'en'));
        return implode('<br>', $lines);
    }

    private static function escaped(string $text): string
    {
        return ControlpanelText::html(ControlpanelText::line($text, 500));
    }
}
