<?php

declare(strict_types=1);

/** Reads a listing of the panel to its end. */
final class ControlpanelPages
{
    private const LIMIT = 200;
    private const MAX_PAGES = 10000;

    /**
     * @return \Generator<int, \stdClass> every row of every page
     * @throws ControlpanelFailure on the first page that is not what it should be
     */
    public static function rows(ControlpanelClient $client, string $path, int $limit = self::LIMIT): \Generator
    {
        $seen = [];
        $query = '?limite=' . $limit;
        for ($page = 0; $page < self::MAX_PAGES; $page++) {
            $json = $client->request('GET', $path . $query)->expect(200);
            foreach (self::list($json) as $row) {
                yield $row;
            }
            if (ControlpanelJson::isNull($json, 'siguiente')) {
                return;
            }
            $cursor = ControlpanelJson::text($json, 'siguiente');
            // A cursor that comes back would be read for ever.
            if ($cursor === '' || isset($seen[$cursor])) {
                throw ControlpanelAnswer::unexpected('the next page is not told');
            }
            $seen[$cursor] = true;
            $query = '?limite=' . $limit . '&desde=' . rawurlencode($cursor);
        }
        throw ControlpanelAnswer::unexpected('the listing has no end');
    }

    /** @return \stdClass[] the rows of one page */
    public static function list(\stdClass $json): array
    {
        $rows = ControlpanelJson::at($json, 'datos');
        if (!is_array($rows)) {
            throw ControlpanelAnswer::unexpected('it is no listing');
        }
        foreach ($rows as $row) {
            if (!$row instanceof \stdClass) {
                throw ControlpanelAnswer::unexpected('a row of the listing is not an object');
            }
        }
        return $rows;
    }
}
