<?php

declare(strict_types=1);

/** HTTPS to the panel: verified, never redirected, bounded in time and size, with no setting for any of it. */
final class ControlpanelClient
{
    public const CONNECT_SECONDS = 10;
    public const TOTAL_SECONDS = 60;
    public const CLIENT_AREA_SECONDS = 8;
    public const PLAN_LIST_SECONDS = 20;
    /** All pages of a listing together: a panel that always tells of a next one must not hold up the cron. */
    public const LISTING_SECONDS = 900;
    public const WAIT_SECONDS = 30;
    // Three times a full page; decoded it may take sixty times as much, of PHP's usual 128 MB.
    private const MAX_BYTES = 1048576;

    /** @var ControlpanelServer */
    private $server;

    /** @var ControlpanelLog */
    private $log;

    /** @var float seconds that one request may take */
    private $totalSeconds;

    /** @var float|null the end of all requests together, on the monotonic clock */
    private $deadline;

    /** @var float seconds already waited for a 429, of WAIT_SECONDS in all */
    private $waitedSeconds = 0.0;

    /** @param float|null $budgetSeconds for all requests of this object together */
    public function __construct(
        ControlpanelServer $server,
        ControlpanelLog $log,
        ?float $budgetSeconds = null,
        float $totalSeconds = self::TOTAL_SECONDS
    ) {
        $this->server = $server;
        $this->log = $log;
        $this->totalSeconds = $totalSeconds;
        $this->deadline = $budgetSeconds === null ? null : self::now() + $budgetSeconds;
    }

    /**
     * One operation of the panel; a 429 is waited for and repeated, which is safe since nothing was done.
     *
     * @param string $path after `/api`, already encoded
     * @param array<string, mixed>|null $body
     * @throws ControlpanelFailure when there is no whole answer
     */
    public function request(string $method, string $path, ?array $body = null): ControlpanelAnswer
    {
        while (true) {
            $answer = $this->once($method, '/api' . $path, $body);
            if ($answer->status !== 429 || !$this->wait($answer->retryAfterSeconds ?? 2)) {
                return $answer;
            }
        }
    }

    /** @return bool false, at once, where the wait does not fit into what is left */
    private function wait(int $seconds): bool
    {
        $seconds = max(1, $seconds);
        if ($this->waitedSeconds + $seconds > self::WAIT_SECONDS || $this->remainingSeconds() <= $seconds) {
            return false;
        }
        $this->waitedSeconds += $seconds;
        sleep($seconds);
        return true;
    }

    /** @param array<string, mixed>|null $body */
    private function once(string $method, string $path, ?array $body): ControlpanelAnswer
    {
        try {
            $answer = $this->send($method, $path, $body);
        } catch (ControlpanelFailure $failure) {
            $this->log->failure($method, $path, $body, $failure->getMessage());
            throw $failure;
        }
        $this->log->answer($method, $path, $body, $answer);
        return $answer;
    }

    /** @param array<string, mixed>|null $body */
    private function send(string $method, string $path, ?array $body): ControlpanelAnswer
    {
        if (!function_exists('curl_init')) {
            throw new ControlpanelFailure('PHP\'s curl extension is missing on the billing server.');
        }
        $curl = curl_init();
        if ($curl === false) {
            throw new ControlpanelFailure('PHP\'s curl could not be started on the billing server.');
        }
        $received = '';
        $retryAfter = null;
        $options = $this->options($method, $path, $body);
        $options[CURLOPT_WRITEFUNCTION] = static function ($handle, string $chunk) use (&$received): int {
            $received .= $chunk;
            return strlen($received) > self::MAX_BYTES ? 0 : strlen($chunk);
        };
        $options[CURLOPT_HEADERFUNCTION] = static function ($handle, string $line) use (&$retryAfter): int {
            $retryAfter = self::retryAfter($line) ?? $retryAfter;
            return strlen($line);
        };
        // curl_setopt_array stops at the first option that it refuses, so none is ever left out unseen.
        if (curl_setopt_array($curl, $options) !== true) {
            throw new ControlpanelFailure('PHP\'s curl refused a setting on the billing server.');
        }
        if (curl_exec($curl) !== true) {
            throw self::transportFailure($method, curl_errno($curl), curl_error($curl));
        }
        // A panel that sends the token back must not bring it into a list, a page or a log.
        $received = str_replace($this->server->token, '[token]', $received);
        return new ControlpanelAnswer((int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $received, $retryAfter);
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<int, mixed>
     */
    private function options(string $method, string $path, ?array $body): array
    {
        $seconds = min($this->totalSeconds, $this->remainingSeconds());
        if ($seconds <= 0) {
            throw new ControlpanelFailure('The panel did not answer in time.');
        }
        $headers = ['Authorization: Bearer ' . $this->server->token, 'Accept: application/json', 'Expect:'];
        $options = [
            CURLOPT_URL => $this->server->origin . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_SSLVERSION => CURL_SSLVERSION_TLSv1_2,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            // A name of dots stays a name: the path is sent as it was built.
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil(min(self::CONNECT_SECONDS, $seconds) * 1000),
            CURLOPT_TIMEOUT_MS => (int) ceil($seconds * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_USERAGENT => 'controlpanel-billing/1.0',
        ];
        if ($body !== null) {
            $options[CURLOPT_POSTFIELDS] = self::encode($body);
            $headers[] = 'Content-Type: application/json';
        } elseif ($method === 'POST') {
            // An empty body with its length; curl's own form content type is taken out.
            $options[CURLOPT_POSTFIELDS] = '';
            $headers[] = 'Content-Type:';
        }
        $options[CURLOPT_HTTPHEADER] = $headers;
        return $options;
    }

    /** @param array<string, mixed> $body */
    private static function encode(array $body): string
    {
        $json = json_encode($body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
        if (!is_string($json)) {
            throw new ControlpanelFailure('The request could not be written as JSON; nothing was sent.');
        }
        return $json;
    }

    /** Seconds or an HTTP date (RFC 9110, 10.2.3). */
    private static function retryAfter(string $line): ?int
    {
        if (preg_match('/^retry-after:\s*(.{1,64}?)\s*$/iD', $line, $match) !== 1) {
            return null;
        }
        if (preg_match('/^[0-9]{1,9}$/D', $match[1]) === 1) {
            return (int) $match[1];
        }
        $time = strtotime($match[1]);
        return $time === false ? null : max(0, $time - time());
    }

    private static function transportFailure(string $method, int $number, string $error): ControlpanelFailure
    {
        $text = 'The panel gave no whole answer: ' . ($error === '' ? 'curl error ' . $number : $error) . '.';
        if (in_array($number, [51, 60, 77, 83, 90, 91], true)) {
            $text .= ' Its certificate could not be verified. A self-signed one has to be in the trust store of'
                . ' the billing server, and Hostname has to be a name in it.';
        } elseif ($method !== 'GET') {
            $text .= ' It may have been done all the same; it is safe to repeat it.';
        }
        return new ControlpanelFailure(ControlpanelText::message($text));
    }

    private function remainingSeconds(): float
    {
        return $this->deadline === null ? INF : $this->deadline - self::now();
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}
