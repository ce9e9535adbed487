<?php

declare(strict_types=1);

/** Where the panel is and the token for it, from the billing system's server settings. Always HTTPS. */
final class ControlpanelServer
{
    private const DEFAULT_PORT = 2087;

    /** @var string `https://host:port` */
    public $origin;

    /** @var string */
    public $token;

    private function __construct(string $origin, string $token)
    {
        $this->origin = $origin;
        $this->token = $token;
    }

    /** Fails with a clear message, and so before any request, on anything but a host, or a host and a port. */
    public static function fromParams(ControlpanelParams $params): self
    {
        $hostname = trim($params->text('serverhostname'));
        if ($hostname === '') {
            throw new ControlpanelFailure('The server\'s Hostname is empty. It has to be panel.example.com:2087.');
        }
        if (preg_match('/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/D', $hostname, $match) !== 1) {
            throw self::badHostname();
        }
        self::checkHost($match[1]);
        // A port inside Hostname wins: it is the form that the documentation asks for.
        $port = isset($match[2]) ? self::port($match[2]) : self::portSetting($params);
        return new self('https://' . strtolower($match[1]) . ':' . $port, self::token($params));
    }

    private static function checkHost(string $host): void
    {
        if ($host[0] === '[') {
            $valid = filter_var(trim($host, '[]'), FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) !== false;
        } else {
            $label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
            $valid = strlen($host) <= 253 && preg_match('/^' . $label . '(?:\.' . $label . ')*$/D', $host) === 1;
        }
        if (!$valid) {
            throw self::badHostname();
        }
    }

    private static function portSetting(ControlpanelParams $params): int
    {
        $setting = trim($params->text('serverport'));
        return $setting === '' || $setting === '0' ? self::DEFAULT_PORT : self::port($setting);
    }

    private static function port(string $text): int
    {
        $port = preg_match('/^[0-9]{1,5}$/D', $text) === 1 ? (int) $text : 0;
        if ($port < 1 || $port > 65535) {
            throw new ControlpanelFailure('The server\'s port is not a number from 1 to 65535.');
        }
        return $port;
    }

    private static function token(ControlpanelParams $params): string
    {
        $token = trim($params->text('serverpassword'));
        if ($token === '') {
            throw new ControlpanelFailure('The server\'s Password is empty. It has to be the API token.');
        }
        // It goes into a header, so nothing but visible ASCII may reach one.
        if (preg_match('/^[\x21-\x7E]{1,512}$/D', $token) !== 1) {
            throw new ControlpanelFailure('The server\'s Password is not an API token.');
        }
        return $token;
    }

    private static function badHostname(): ControlpanelFailure
    {
        return new ControlpanelFailure('The server\'s Hostname has to be a host name, or a host name and a port '
            . '(panel.example.com:2087), without https:// and without a path.');
    }
}
