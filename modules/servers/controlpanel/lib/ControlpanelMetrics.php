<?php

declare(strict_types=1);

use WHMCS\UsageBilling\Contracts\Metrics\MetricInterface;
use WHMCS\UsageBilling\Contracts\Metrics\ProviderInterface;
use WHMCS\UsageBilling\Metrics\Metric;
use WHMCS\UsageBilling\Metrics\Units\GigaBytes;
use WHMCS\UsageBilling\Metrics\Units\WholeNumber;
use WHMCS\UsageBilling\Metrics\Usage;

/**
 * What the billing system can charge for by use. A tenant is a client of the panel, by its name.
 *
 * Loaded only where the billing system has these interfaces: elsewhere the file could not be read.
 */
final class ControlpanelMetrics implements ProviderInterface
{
    private const GIGABYTE = 1073741824;

    /** @var ControlpanelAction */
    private $call;

    public function __construct(ControlpanelAction $call)
    {
        $this->call = $call;
    }

    /** @return array<string, MetricInterface> by system name, which is the panel's own name of the measure */
    public function metrics()
    {
        $files = new WholeNumber('Files', 'File', 'Files');
        $sites = new WholeNumber('Sites', 'Site', 'Sites');
        return [
            'disco_bytes' => new Metric('disco_bytes', 'Disk', MetricInterface::TYPE_SNAPSHOT, new GigaBytes()),
            'trafico_bytes' => new Metric(
                'trafico_bytes',
                'Traffic',
                MetricInterface::TYPE_PERIOD_MONTH,
                new GigaBytes()
            ),
            'sitios' => new Metric('sitios', 'Sites', MetricInterface::TYPE_SNAPSHOT, $sites),
            'inodos' => new Metric('inodos', 'Files', MetricInterface::TYPE_SNAPSHOT, $files),
        ];
    }

    /**
     * All or nothing: a pass that breaks off charges nobody, and the cause is in the module log.
     *
     * @return array<string, array<string, MetricInterface>> by tenant
     */
    public function usage()
    {
        try {
            $client = $this->call->client(ControlpanelClient::LISTING_SECONDS);
            $ours = ControlpanelReference::services($client, ControlpanelReference::prefix());
            $usage = [];
            foreach (ControlpanelPages::rows($client, '/uso') as $row) {
                $name = ControlpanelJson::text($row, 'cliente');
                $metrics = isset($ours[$name]) ? $this->measured($row) : [];
                if ($metrics !== []) {
                    $usage[$name] = $metrics;
                }
            }
            return $usage;
        } catch (\Throwable $thrown) {
            $this->call->explain($thrown);
            return [];
        }
    }

    /**
     * @param mixed $tenant
     * @return array<string, MetricInterface>
     */
    public function tenantUsage($tenant)
    {
        try {
            $name = ControlpanelChecks::name(is_string($tenant) ? $tenant : '');
            $client = $this->call->client(ControlpanelClient::CLIENT_AREA_SECONDS);
            $found = $client->request('GET', '/clientes/' . $name)->expect(200);
            ControlpanelChecks::sameClient($found, $name);
            if (ControlpanelReference::serviceOf($found, ControlpanelReference::prefix()) === null) {
                throw new ControlpanelFailure('The client ' . $name . ' is not of this billing system.');
            }
            $usage = $client->request('GET', '/clientes/' . $name . '/uso')->expect(200);
            ControlpanelChecks::sameClient($usage, $name);
            return $this->measured($usage);
        } catch (\Throwable $thrown) {
            $this->call->explain($thrown);
            return [];
        }
    }

    /** @return array<string, MetricInterface> none where nothing was measured yet */
    private function measured(\stdClass $row): array
    {
        if (ControlpanelJson::isNull($row, 'medido')) {
            return [];
        }
        $metrics = [];
        foreach ($this->metrics() as $name => $metric) {
            $used = ControlpanelJson::at($row, 'consumo', $name, 'usado');
            if (!is_int($used) || $used < 0) {
                throw ControlpanelAnswer::unexpected('a measure is missing');
            }
            $isBytes = substr($name, -6) === '_bytes';
            $metrics[$name] = $metric->withUsage(new Usage($isBytes ? $used / self::GIGABYTE : $used));
        }
        return $metrics;
    }
}
