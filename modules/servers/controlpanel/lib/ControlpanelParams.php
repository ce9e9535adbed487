<?php

declare(strict_types=1);

/** The billing system's parameters, of which any may be missing or of another type. */
final class ControlpanelParams
{
    /** In bytes: a name of 253 characters in its longest Unicode spelling. */
    private const LONGEST_DOMAIN = 1012;

    /** @var array<mixed> */
    private $values;

    /** @param mixed $values */
    public function __construct($values)
    {
        $this->values = is_array($values) ? $values : [];
    }

    /** The text at that path; '' where it is missing or is no text. */
    public function text(string ...$path): string
    {
        $value = $this->values;
        foreach ($path as $key) {
            if (!is_array($value) || !array_key_exists($key, $value)) {
                return '';
            }
            $value = $value[$key];
        }
        return is_string($value) || is_int($value) ? (string) $value : '';
    }

    /** @return mixed what the billing system gave under this name, null where it gave nothing */
    public function value(string $key)
    {
        return $this->values[$key] ?? null;
    }

    /** A row's id in the billing system. */
    public function id(string $key): int
    {
        $text = $this->text($key);
        if (preg_match('/^[1-9][0-9]{0,17}$/D', $text) !== 1) {
            throw new ControlpanelFailure('The billing system gave no valid ' . $key . '; nothing was sent.');
        }
        return (int) $text;
    }

    /**
     * The plan's exact name, null for none. Another type is refused: taking it for "none" would lift all limits.
     */
    public function plan(): ?string
    {
        $value = $this->values['configoption1'] ?? '';
        if (!is_string($value) && !is_int($value)) {
            throw new ControlpanelFailure('The product setting Plan is not a text; nothing was sent.');
        }
        return (string) $value === '' ? null : (string) $value;
    }

    /** The customer's e-mail address; the panel has the last word on its form. */
    public function email(): string
    {
        $email = trim($this->text('clientsdetails', 'email'));
        if ($email === '') {
            throw new ControlpanelFailure('The customer has no e-mail address. Fill it in first: '
                . 'the activation link is sent to it. Nothing was sent.');
        }
        $valid = filter_var($email, FILTER_VALIDATE_EMAIL) !== false;
        if (!$valid || strlen($email) > 254 || strpbrk($email, '"[]') !== false) {
            throw new ControlpanelFailure('The customer\'s e-mail address is not valid; nothing was sent.');
        }
        return $email;
    }

    /** The service's domain name without `www.`, which the panel adds to every site by itself. */
    public function domain(): string
    {
        $domain = trim($this->text('domain'));
        if ($domain === '') {
            throw new ControlpanelFailure('The service has no domain name. Fill it in first; nothing was sent.');
        }
        if (strlen($domain) > self::LONGEST_DOMAIN) {
            throw new ControlpanelFailure('The service\'s domain name is too long; nothing was sent.');
        }
        // Only before a name with a dot of its own: www.es is a name like any other.
        return (string) preg_replace('/^www\.(?=[^.]+\.[^.])/i', '', $domain);
    }

    /** The customer's or company's name, '' where there is none. */
    public function customerName(): string
    {
        $company = ControlpanelText::typed($this->text('clientsdetails', 'companyname'), 200);
        if ($company !== '') {
            return $company;
        }
        $first = $this->text('clientsdetails', 'firstname');
        $last = $this->text('clientsdetails', 'lastname');
        return ControlpanelText::typed($first . ' ' . $last, 200);
    }

    /** `es` or `en`; anything but Spanish reads English. */
    public function language(): string
    {
        return stripos($this->text('clientsdetails', 'language'), 'spanish') === 0 ? 'es' : 'en';
    }

    /** A product add-on carries the service's own id: acting on it would act on the service. */
    public function refuseAddon(): void
    {
        $value = $this->values['addonId'] ?? 0;
        if (!is_scalar($value) || !in_array((string) $value, ['', '0'], true)) {
            throw new ControlpanelFailure('This module does not serve product add-ons; nothing was sent.');
        }
    }
}
