<?php

declare(strict_types=1);

/**
 * One service of the billing system, which is one client of the panel, known by its reference and nothing else.
 *
 * Every method returns only when the panel has said, in the expected JSON, that it is so.
 */
final class ControlpanelService
{
    /** @var ControlpanelClient */
    private $client;

    /** @var string */
    private $reference;

    public function __construct(ControlpanelClient $client, string $reference)
    {
        $this->client = $client;
        $this->reference = $reference;
    }

    /**
     * Client, site, plan and activation mail in one call that converges: after a lost answer the same call again
     * tells that all is there.
     *
     * @param array<string, string> $wanted correo and domain; plan, nombre, idioma where there are any
     */
    public function create(array $wanted): void
    {
        $answer = $this->client->request('PUT', '/altas/' . $this->reference, $wanted);
        $plan = $wanted['plan'] ?? null;
        self::namePlan($answer, $plan);
        $json = $answer->expect(200, 201);
        $name = ControlpanelJson::text($json, 'cliente', 'cliente');
        if (ControlpanelJson::text($json, 'cliente', 'referencia') !== $this->reference) {
            throw ControlpanelAnswer::unexpected('it tells of another client');
        }
        $this->checkClient(ControlpanelJson::at($json, 'cliente'), self::name($name), 'activo');
        self::checkPlan(ControlpanelJson::at($json, 'cliente'), $plan);
        self::checkSite(ControlpanelJson::at($json, 'sitio'), $name, $wanted['domain'] ?? '');
        self::checkLogin(ControlpanelJson::at($json, 'acceso'), $name);
    }

    public function suspend(string $reason): void
    {
        $name = $this->find();
        $body = $reason === '' ? null : ['motivo' => $reason];
        $json = $this->client->request('POST', '/clientes/' . $name . '/suspender', $body)->expect(200);
        $this->checkClient($json, $name, 'suspendido');
    }

    public function unsuspend(): void
    {
        $name = $this->find();
        $json = $this->client->request('POST', '/clientes/' . $name . '/activar')->expect(200);
        $this->checkClient($json, $name, 'activo');
    }

    /** "Already gone" is success; everything that does not say so in JSON is not. */
    public function terminate(): void
    {
        $name = $this->lookUp();
        if ($name === null) {
            return;
        }
        $answer = $this->client->request('DELETE', '/clientes/' . $name);
        if ($answer->status === 404 && $answer->code() === 'cliente_no_existe') {
            return;
        }
        $json = $answer->expect(200, 202);
        $gone = $answer->status === 200
            ? ControlpanelJson::at($json, 'eliminado') === true
            : ControlpanelJson::text($json, 'estado') === 'eliminando';
        if (!$gone || ControlpanelJson::text($json, 'cliente') !== $name) {
            throw ControlpanelAnswer::unexpected('it does not say that this client is deleted');
        }
    }

    /** @param string|null $plan null for none */
    public function changePlan(?string $plan): void
    {
        $name = $this->find();
        $answer = $this->client->request('POST', '/clientes/' . $name . '/plan', ['plan' => $plan]);
        self::namePlan($answer, $plan);
        $json = $answer->expect(200);
        if (ControlpanelJson::text($json, 'cliente') !== $name) {
            throw ControlpanelAnswer::unexpected('it tells of another client');
        }
        self::checkPlan($json, $plan);
    }

    /** Mails the customer a link; no password goes to the panel. */
    public function sendResetLink(): void
    {
        $name = $this->find();
        $json = $this->client->request('POST', '/clientes/' . $name . '/acceso/restablecer')->expect(202);
        if (strpos(ControlpanelJson::text($json, 'enviado_a'), '@') === false) {
            throw ControlpanelAnswer::unexpected('it does not say that a link was sent');
        }
    }

    /** The plan and use of the client, as the panel tells them. */
    public function usage(): \stdClass
    {
        $name = $this->find();
        $json = $this->client->request('GET', '/clientes/' . $name . '/uso')->expect(200);
        if (ControlpanelJson::text($json, 'cliente') !== $name) {
            throw ControlpanelAnswer::unexpected('it tells of another client');
        }
        return $json;
    }

    private function find(): string
    {
        $name = $this->lookUp();
        if ($name === null) {
            throw new ControlpanelFailure('The panel has no client for this service (' . $this->reference . ').');
        }
        return $name;
    }

    /** @return string|null the client's name; null only when the panel says, in JSON, that there is none */
    private function lookUp(): ?string
    {
        $path = '/clientes?referencia=' . rawurlencode($this->reference);
        $json = $this->client->request('GET', $path)->expect(200);
        $rows = ControlpanelPages::list($json);
        if (count($rows) > 1 || !ControlpanelJson::isNull($json, 'siguiente')) {
            throw ControlpanelAnswer::unexpected('it tells of more than one client');
        }
        if ($rows === []) {
            return null;
        }
        if (ControlpanelJson::text($rows[0], 'referencia') !== $this->reference) {
            throw ControlpanelAnswer::unexpected('it tells of another client');
        }
        return self::name(ControlpanelJson::text($rows[0], 'cliente'));
    }

    /** A client's name goes into paths, so it has to look like one. */
    private static function name(string $name): string
    {
        $valid = preg_match('/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/D', $name) === 1;
        if (!$valid || strpos($name, '..') !== false) {
            throw ControlpanelAnswer::unexpected('it holds no client name');
        }
        return $name;
    }

    /** @param mixed $client */
    private function checkClient($client, string $name, string $state): void
    {
        if (ControlpanelJson::text($client, 'cliente') !== $name) {
            throw ControlpanelAnswer::unexpected('it tells of another client');
        }
        $told = ControlpanelJson::text($client, 'estado');
        if ($told !== $state) {
            throw ControlpanelAnswer::unexpected(
                'the client is "' . ControlpanelText::message($told, 40) . '" and not "' . $state . '"'
            );
        }
    }

    /** @param mixed $json */
    private static function checkPlan($json, ?string $plan): void
    {
        $same = $plan === null
            ? ControlpanelJson::isNull($json, 'plan')
            : ControlpanelJson::at($json, 'plan') === $plan;
        if (!$same) {
            throw ControlpanelAnswer::unexpected('the client has another plan');
        }
    }

    /** @param mixed $site */
    private static function checkSite($site, string $name, string $domain): void
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
    private static function checkLogin($login, string $name): void
    {
        $same = ControlpanelJson::text($login, 'cliente') === $name;
        if (!$same || ControlpanelJson::text($login, 'rol') !== 'client'
            || !in_array(ControlpanelJson::text($login, 'estado'), ['pendiente', 'activo'], true)) {
            throw ControlpanelAnswer::unexpected('it does not tell of the customer\'s login');
        }
    }

    private static function namePlan(ControlpanelAnswer $answer, ?string $plan): void
    {
        if ($plan !== null && $answer->code() === 'plan_no_existe') {
            throw new ControlpanelFailure(
                'The plan "' . ControlpanelText::message($plan, 100) . '" does not exist in the panel.'
            );
        }
    }
}
