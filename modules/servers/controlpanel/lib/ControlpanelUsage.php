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
        $services = ControlpanelReference::services($client, $prefix);
        $columns = [];
        $unreadable = 0;
        foreach (ControlpanelPages::rows($client, '/uso') as $row) {
            $name = ControlpanelJson::text($row, 'cliente');
            $service = $services[$name] ?? null;
            // What was not measured yet is no use of 0.
            if ($service === null || ControlpanelJson::isNull($row, 'medido')) {
                continue;
            }
            $values = self::columns($row);
            if ($values === null) {
                $unreadable++;
            } else {
                // The client's name is what server sync and usage billing know a service by.
                $columns[$service] = $values + ['username' => $name];
            }
        }
        self::write($serverId, $columns);
        return $unreadable;
    }

    /**
     * The use of one service.
     *
     * @return string the client's name
     */
    public static function copy(\stdClass $usage, int $serviceId, int $serverId): string
    {
        if (ControlpanelJson::isNull($usage, 'medido')) {
            throw new ControlpanelFailure('The panel has not measured this client yet. It measures every'
                . ' 15 minutes; repeat it then.');
        }
        $values = self::columns($usage);
        if ($values === null) {
            throw ControlpanelAnswer::unexpected('a measure is missing');
        }
        self::write($serverId, [$serviceId => $values]);
        return ControlpanelJson::text($usage, 'cliente');
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

    /** @param array<int, array<string, int|string>> $columns by service id */
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
