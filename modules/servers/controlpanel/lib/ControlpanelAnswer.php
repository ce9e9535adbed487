<?php

declare(strict_types=1);

/** One answer of the panel: its status, and its body where that is a JSON object. */
final class ControlpanelAnswer
{
    /** @var int */
    public $status;

    /** @var \stdClass|null null for anything but a JSON object */
    public $json;

    /** @var int|null seconds, from Retry-After */
    public $retryAfterSeconds;

    public function __construct(int $status, string $body, ?int $retryAfterSeconds)
    {
        $this->status = $status;
        $this->json = ControlpanelJson::decode($body);
        $this->retryAfterSeconds = $retryAfterSeconds;
    }

    /** The panel's stable error code, '' where there is none. */
    public function code(): string
    {
        return ControlpanelJson::text($this->json, 'codigo');
    }

    /** The object, for one of the expected statuses; a failure for everything else. */
    public function expect(int ...$statuses): \stdClass
    {
        if (!in_array($this->status, $statuses, true)) {
            throw $this->refusal();
        }
        if ($this->json === null) {
            throw self::unexpected('it is not JSON');
        }
        return $this->json;
    }

    /** A right status with a body that says something else. */
    public static function unexpected(string $why): ControlpanelFailure
    {
        return new ControlpanelFailure('The panel\'s answer is not the expected one: ' . $why . '.');
    }

    private function refusal(): ControlpanelFailure
    {
        $code = $this->code();
        $detail = trim($code . ' ' . ControlpanelJson::text($this->json, 'detail'));
        $text = 'The panel answered ' . $this->status . ($detail === '' ? '' : ': ' . $detail) . '.';
        foreach (self::fields($this->json) as $field) {
            $text .= ' ' . $field;
        }
        return new ControlpanelFailure(ControlpanelText::message($text . $this->hint()));
    }

    /** @return string[] what is wrong in which field (422) */
    private static function fields(?\stdClass $json): array
    {
        $fields = ControlpanelJson::at($json, 'campos');
        $texts = [];
        foreach (is_array($fields) ? array_slice($fields, 0, 5) : [] as $field) {
            $name = ControlpanelJson::text($field, 'campo');
            $message = ControlpanelJson::text($field, 'mensaje');
            if ($name !== '') {
                $texts[] = $name . ': ' . ($message === '' ? ControlpanelJson::text($field, 'codigo') : $message);
            }
        }
        return $texts;
    }

    private function hint(): string
    {
        $known = ControlpanelHints::of($this->code());
        if ($known !== '') {
            return ' ' . $known;
        }
        if ($this->status === 401) {
            return ' Create a new API token in the panel and put it into the server\'s Password.';
        }
        if ($this->status === 429) {
            $seconds = $this->retryAfterSeconds;
            return $seconds === null ? ' Repeat it later.' : ' Repeat it in ' . $seconds . ' seconds.';
        }
        if ($this->status >= 300 && $this->status < 400) {
            return ' Redirects are not followed: check the server\'s Hostname.';
        }
        return $this->json === null ? ' This does not look like the panel: check Hostname and port.' : '';
    }
}
