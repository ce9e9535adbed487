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
     * @return string the client's name
     */
    public function create(array $wanted): string
    {
        $this->refuseSecondSite($wanted['domain'] ?? '');
        $answer = $this->client->request('PUT', '/altas/' . $this->reference, $wanted);
        $plan = $wanted['plan'] ?? null;
        self::namePlan($answer, $plan);
        $json = $answer->expect(200, 201);
        $name = ControlpanelJson::text($json, 'cliente', 'cliente');
        if (ControlpanelJson::text($json, 'cliente', 'referencia') !== $this->reference) {
            throw ControlpanelAnswer::unexpected('it tells of another client');
        }
        ControlpanelChecks::client(ControlpanelJson::at($json, 'cliente'), ControlpanelChecks::name($name), 'activo');
        ControlpanelChecks::plan(ControlpanelJson::at($json, 'cliente'), $plan);
        ControlpanelChecks::site(ControlpanelJson::at($json, 'sitio'), $name, $wanted['domain'] ?? '');
        ControlpanelChecks::login(ControlpanelJson::at($json, 'acceso'), $name);
        return $name;
    }

    /**
     * A service is one site. With another domain than the first time, the panel would add a second one to the
     * client and leave the first.
     */
    private function refuseSecondSite(string $domain): void
    {
        $client = $this->lookUp();
        if ($client === null || ControlpanelJson::at($client, 'sitios') === 0) {
            return;
        }
        $name = ControlpanelJson::text($client, 'cliente');
        // The panel says which site a spelling means: it turns Unicode into A-labels.
        $answer = $this->client->request('GET', '/sitios/' . rawurlencode($domain));
        $missing = $answer->status === 404 && $answer->code() === 'sitio_no_existe';
        if ($missing || ControlpanelJson::text($answer->expect(200), 'cliente') !== $name) {
            throw self::otherSite($this->firstSite($name), $domain);
        }
    }

    private function firstSite(string $name): string
    {
        $path = '/sitios?cliente=' . rawurlencode($name);
        $rows = ControlpanelPages::list($this->client->request('GET', $path)->expect(200));
        return ControlpanelText::message(ControlpanelJson::text($rows[0] ?? null, 'domain'), 253);
    }

    private static function otherSite(string $site, string $domain): ControlpanelFailure
    {
        return new ControlpanelFailure('This service already has ' . ($site === '' ? 'another site' : 'the site ' . $site)
            . ' in the panel. Create does not move it to another domain and would add a second site. Put the old domain'
            . ' back into the service, or make ' . ControlpanelText::message($domain, 253) . ' in the panel and delete'
            . ' the old site there; then run Create again. Nothing was changed.');
    }

    public function suspend(string $reason): void
    {
        $name = $this->find();
        $body = $reason === '' ? null : ['motivo' => $reason];
        $json = $this->client->request('POST', '/clientes/' . $name . '/suspender', $body)->expect(200);
        ControlpanelChecks::client($json, $name, 'suspendido');
    }

    public function unsuspend(): void
    {
        $name = $this->find();
        $json = $this->client->request('POST', '/clientes/' . $name . '/activar')->expect(200);
        ControlpanelChecks::client($json, $name, 'activo');
    }

    /** "Already gone" is success; everything that does not say so in JSON is not. */
    public function terminate(): void
    {
        $client = $this->lookUp();
        if ($client === null) {
            return;
        }
        $name = ControlpanelJson::text($client, 'cliente');
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
        ControlpanelChecks::sameClient($json, $name);
        ControlpanelChecks::plan($json, $plan);
    }

    /**
     * Mails the customer a link; no password goes to the panel.
     *
     * @return string the client's name
     */
    public function sendResetLink(): string
    {
        $name = $this->find();
        $this->resetLink($name);
        return $name;
    }

    /**
     * Mails the customer the link that fits: the first one, a newer one to activate the login, or one to choose a
     * new password.
     *
     * @return string the client's name
     */
    public function sendLink(ControlpanelParams $params): string
    {
        $client = $this->client();
        $name = ControlpanelJson::text($client, 'cliente');
        if (ControlpanelJson::text($client, 'acceso') !== 'sin_acceso') {
            $this->resetLink($name);
            return $name;
        }
        $body = ['correo' => $params->email(), 'idioma' => $params->language()];
        $json = $this->client->request('POST', '/clientes/' . $name . '/acceso', $body)->expect(201);
        ControlpanelChecks::login($json, $name);
        return $name;
    }

    private function resetLink(string $name): void
    {
        $json = $this->client->request('POST', '/clientes/' . $name . '/acceso/restablecer')->expect(202);
        if (strpos(ControlpanelJson::text($json, 'enviado_a'), '@') === false) {
            throw ControlpanelAnswer::unexpected('it does not say that a link was sent');
        }
    }

    /** The plan and use of the client, as the panel tells them. */
    public function usage(): \stdClass
    {
        return $this->of($this->find(), '/uso');
    }

    /** What the panel tells of a client under this path. */
    public function of(string $name, string $path): \stdClass
    {
        $json = $this->client->request('GET', '/clientes/' . $name . $path)->expect(200);
        ControlpanelChecks::sameClient($json, $name);
        return $json;
    }

    /** The client of this service as the panel tells it. */
    public function client(): \stdClass
    {
        $client = $this->lookUp();
        if ($client === null) {
            throw new ControlpanelFailure('The panel has no client for this service (' . $this->reference . ').'
                . ' Run Create first, or give the right client this reference in the panel.');
        }
        return $client;
    }

    private function find(): string
    {
        return ControlpanelJson::text($this->client(), 'cliente');
    }

    /** @return \stdClass|null the client; null only when the panel says, in JSON, that there is none */
    private function lookUp(): ?\stdClass
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
        ControlpanelChecks::name(ControlpanelJson::text($rows[0], 'cliente'));
        return $rows[0];
    }

    private static function namePlan(ControlpanelAnswer $answer, ?string $plan): void
    {
        if ($plan !== null && $answer->code() === 'plan_no_existe') {
            throw new ControlpanelFailure(
                'The plan "' . ControlpanelText::message($plan, 100) . '" does not exist in the panel. '
                . ControlpanelHints::of('plan_no_existe')
            );
        }
    }
}
