<?php

declare(strict_types=1);

/** The billing system's module log: method and path, and of the bodies only what tells what happened. */
final class ControlpanelLog
{
    // The request's e-mail address and name, and every other field of an answer, are the customer's own business.
    private const REQUEST_FIELDS = ['domain', 'plan', 'idioma', 'motivo'];
    private const ANSWER_FIELDS = ['cliente', 'referencia', 'estado', 'plan', 'eliminado', 'codigo', 'detail',
        'peticion', 'panel', 'version', 'nodo'];

    /** @var string */
    private $action;

    /** @var string */
    private $token;

    public function __construct(string $action, string $token)
    {
        $this->action = $action;
        $this->token = $token;
    }

    /** @param array<string, mixed>|null $body */
    public function answer(string $method, string $path, ?array $body, ControlpanelAnswer $answer): void
    {
        $result = 'HTTP ' . $answer->status;
        $shown = $answer->json === null ? '(not a JSON object)' : self::encode(self::reduce($answer->json));
        $this->write(self::request($method, $path, $body), $result . ' ' . $shown, $result);
    }

    /** @param array<string, mixed>|null $body */
    public function failure(string $method, string $path, ?array $body, string $message): void
    {
        $this->write(self::request($method, $path, $body), $message, 'no answer');
    }

    /** A failure of the module's own. */
    public function error(string $message): void
    {
        $this->write('(no request)', $message, 'error');
    }

    /** @param array<string, mixed>|null $body */
    private static function request(string $method, string $path, ?array $body): string
    {
        $shown = array_intersect_key($body ?? [], array_flip(self::REQUEST_FIELDS));
        return $method . ' ' . $path . ($shown === [] ? '' : ' ' . self::encode($shown));
    }

    /** @return array<string, mixed> */
    private static function reduce(\stdClass $json): array
    {
        $shown = [];
        foreach (self::ANSWER_FIELDS as $field) {
            $value = ControlpanelJson::at($json, $field);
            $value = $value instanceof \stdClass ? ControlpanelJson::at($value, 'cliente') : $value;
            if (is_scalar($value)) {
                $shown[$field] = is_string($value) ? ControlpanelText::line($value, 300) : $value;
            }
        }
        $rows = ControlpanelJson::at($json, 'datos');
        if (is_array($rows)) {
            $shown['datos'] = count($rows);
        }
        return $shown;
    }

    /** @param array<string, mixed> $fields */
    private static function encode(array $fields): string
    {
        // Tags as \u003C: a customer's own text is in it, and an administrator reads it in a browser.
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_HEX_TAG;
        return (string) json_encode((object) $fields, $flags);
    }

    private function write(string $request, string $response, string $result): void
    {
        if (!function_exists('logModuleCall')) {
            return;
        }
        // Redacted here too: the list works only as well as the billing system that reads it.
        $redacted = $this->token === '' ? [] : [$this->token];
        $response = str_replace($redacted, '[token]', $response);
        try {
            logModuleCall('controlpanel', $this->action, $request, $response, $result, $redacted);
        } catch (\Throwable $ignored) {
            // A log that fails must not turn a done action into a failed one.
            unset($ignored);
        }
    }
}
