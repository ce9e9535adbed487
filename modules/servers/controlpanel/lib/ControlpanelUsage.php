<?php

declare(strict_types=1);

/** Copies what the panel measured into the billing system's own rows, in MB of 1,048,576 bytes. */
final class ControlpanelUsage
{
    private const MEGABYTE = 1048576;

    /**
     * One pass over the clients (which of them are this billing system's) and one over their use. All of it is read
     * before anything is written, so that a pass that breaks off changes nothing.
     *
     * @return int rows of use that were unreadable, and left as they were
     */
    public static function update(ControlpanelClient $client, int $serverId, string $prefix): int
    {
        $services = self::services($client, $prefix);
        $columns = [];
        $unreadable = 0;
        foreach (ControlpanelPages::rows($client, '/uso') as $row) {
            $service = $services[ControlpanelJson::text($row, 'cliente')] ?? null;
            // What was not measured yet is no use of 0.
            if ($service === null || ControlpanelJson::isNull($row, 'medido')) {
                continue;
            }
            $values = self::columns($row);
            if ($values === null) {
                $unreadable++;
            } else {
                $columns[$service] = $values;
            }
        }
        self::write($serverId, $columns);
        return $unreadable;
    }

    /** @return array<string, int> service id by client name */
    private static function services(ControlpanelClient $client, string $prefix): array
    {
        $services = [];
        foreach (ControlpanelPages::rows($client, '/clientes') as $row) {
            $reference = ControlpanelJson::text($row, 'referencia');
            $id = strncmp($reference, $prefix, strlen($prefix)) === 0 ? substr($reference, strlen($prefix)) : '';
            if (preg_match('/^[1-9][0-9]{0,17}$/D', $id) === 1) {
                $services[ControlpanelJson::text($row, 'cliente')] = (int) $id;
            }
        }
        return $services;
    }

    /** @return array<string, int>|null */
    private static function columns(\stdClass $row): ?array
    {
        $disk = ControlpanelJson::at($row, 'consumo', 'disco_bytes');
        $traffic = ControlpanelJson::at($row, 'consumo', 'trafico_bytes');
        $values = [
            'diskusage' => self::used($disk),
            'disklimit' => self::limit($disk),
            'bwusage' => self::used($traffic),
            'bwlimit' => self::limit($traffic),
        ];
        return in_array(null, $values, true) ? null : $values;
    }

    /** @param mixed $measure */
    private static function used($measure): ?int
    {
        $bytes = ControlpanelJson::at($measure, 'usado');
        return is_int($bytes) && $bytes >= 0 ? (int) round($bytes / self::MEGABYTE) : null;
    }

    /**
     * 0 is how the billing system writes "unlimited", so no real limit may become 0.
     *
     * @param mixed $measure
     */
    private static function limit($measure): ?int
    {
        if (ControlpanelJson::isNull($measure, 'limite')) {
            return 0;
        }
        $bytes = ControlpanelJson::at($measure, 'limite');
        return is_int($bytes) && $bytes >= 0 ? max(1, (int) ceil($bytes / self::MEGABYTE)) : null;
    }

    /** @param array<int, array<string, int>> $columns by service id */
    private static function write(int $serverId, array $columns): void
    {
        $capsule = '\\WHMCS\\Database\\Capsule';
        if ($columns !== [] && !class_exists($capsule)) {
            throw new ControlpanelFailure('The billing system\'s database could not be reached.');
        }
        $now = date('Y-m-d H:i:s');
        foreach ($columns as $serviceId => $values) {
            // The server is asked for too: a service moved to another server is no longer ours to write.
            call_user_func([$capsule, 'table'], 'tblhosting')
                ->where('id', $serviceId)
                ->where('server', $serverId)
                ->update($values + ['lastupdate' => $now]);
        }
    }
}
