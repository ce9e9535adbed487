<?php

declare(strict_types=1);

/** What an answer of the panel must say before an action counts as done. */
final class ControlpanelChecks
{
    /** A client's name goes into paths and into the billing system's own records, so it has to look like one. */
    public static function name(string $name): string
    {
        $valid = preg_match('/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/D', $name) === 1;
        if (!$valid || strpos($name, '..') !== false) {
            throw ControlpanelAnswer::unexpected('it holds no client name');
        }
        return $name;
    }

    /** @param mixed $json */
    public static function sameClient($json, string $name): void
    {
        if (ControlpanelJson::text($json, 'cliente') !== $name) {
            throw ControlpanelAnswer::unexpected('it tells of another client');
        }
    }

    /** @param mixed $client */
    public static function client($client, string $name, string $state): void
    {
        self::sameClient($client, $name);
        $told = ControlpanelJson::text($client, 'estado');
        if ($told !== $state) {
            throw ControlpanelAnswer::unexpected(
                'the client is "' . ControlpanelText::message($told, 40) . '" and not "' . $state . '"'
            );
        }
    }

    /**
     * @param mixed $json
     * @param string|null $plan null for none
     */
    public static function plan($json, ?string $plan): void
    {
        $same = $plan === null
            ? ControlpanelJson::isNull($json, 'plan')
            : ControlpanelJson::at($json, 'plan') === $plan;
        if (!$same) {
            throw ControlpanelAnswer::unexpected('the client has another plan');
        }
    }

    /** @param mixed $site */
    public static function site($site, string $name, string $domain): void
    {
        // Only ASCII names are compared: how Unicode becomes A-labels is the panel's to say.
        $wanted = rtrim(strtolower($domain), '.');
        $told = ControlpanelJson::text($site, 'domain');
        $same = preg_match('/[^\x00-\x7F]/', $wanted) === 1 ? $told !== '' : $told === $wanted;
        if (!$same || ControlpanelJson::text($site, 'cliente') !== $name) {
            throw ControlpanelAnswer::unexpected('it tells of another site');
        }
        if (!in_array(ControlpanelJson::text($site, 'estado'), ['preparando', 'activo'], true)) {
            throw ControlpanelAnswer::unexpected('the site is not being set up');
        }
    }

    /** @param mixed $login */
    public static function login($login, string $name): void
    {
        $same = ControlpanelJson::text($login, 'cliente') === $name;
        if (!$same || ControlpanelJson::text($login, 'rol') !== 'client'
            || !in_array(ControlpanelJson::text($login, 'estado'), ['pendiente', 'activo'], true)) {
            throw ControlpanelAnswer::unexpected('it does not tell of the customer\'s login');
        }
    }
}
