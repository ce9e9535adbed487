<?php

declare(strict_types=1);

/** The customer's page in the billing system: plan and use, read-only. */
final class ControlpanelClientArea
{
    private const TEXTS = [
        'en' => [
            'plan' => 'Plan', 'none' => 'No plan', 'resource' => 'Resource', 'used' => 'Used', 'limit' => 'Limit',
            'unlimited' => 'Unlimited', 'open' => 'Open the control panel', 'measured' => 'Measured %s ago (%s UTC)',
            'unmeasured' => 'Not measured yet',
            'minutes' => '%d min', 'hours' => '%d h', 'days' => '%d days',
            'aviso' => 'Close to the limit', 'superado' => 'Over the limit',
            'disco_bytes' => 'Disk', 'inodos' => 'Files', 'trafico_bytes' => 'Traffic this month',
            'sitios' => 'Sites', 'aliases' => 'Alias domains', 'zonas' => 'DNS zones',
            'neutral' => 'The use of this service cannot be shown at the moment. Please try again later.',
        ],
        'es' => [
            'plan' => 'Plan', 'none' => 'Sin plan', 'resource' => 'Recurso', 'used' => 'Usado', 'limit' => 'Límite',
            'unlimited' => 'Sin límite', 'open' => 'Abrir el panel de control',
            'measured' => 'Medido hace %s (%s UTC)', 'unmeasured' => 'Aún sin medir',
            'minutes' => '%d min', 'hours' => '%d h', 'days' => '%d días',
            'aviso' => 'Cerca del límite', 'superado' => 'Límite superado',
            'disco_bytes' => 'Disco', 'inodos' => 'Archivos', 'trafico_bytes' => 'Tráfico de este mes',
            'sitios' => 'Sitios', 'aliases' => 'Dominios alias', 'zonas' => 'Zonas DNS',
            'neutral' => 'El uso de este servicio no se puede mostrar en este momento. Inténtelo más tarde.',
        ],
    ];
    private const MEASURES = ['disco_bytes', 'inodos', 'trafico_bytes', 'sitios', 'aliases', 'zonas'];

    /**
     * What is shown on any failure: it names no host, no status and no cause.
     *
     * @return array<string, mixed>
     */
    public static function neutral(string $language): array
    {
        return self::page(['available' => false, 'message' => self::TEXTS[$language]['neutral']]);
    }

    /**
     * @return array<string, mixed>
     * @throws ControlpanelFailure where the answer is not a whole record of use
     */
    public static function of(\stdClass $usage, string $origin, string $language): array
    {
        $texts = self::TEXTS[$language];
        return self::page([
            'available' => true,
            'texts' => $texts,
            'plan' => self::plan($usage, $language),
            'rows' => self::rows($usage, $language),
            'measured' => self::age($usage, $language),
            'url' => $origin . '/',
        ]);
    }

    /**
     * The use, one row for each thing that is measured, as plain text.
     *
     * @return array<int, array{name: string, used: string, limit: string, level: string, note: string}>
     */
    public static function rows(\stdClass $usage, string $language): array
    {
        $texts = self::TEXTS[$language];
        $rows = [];
        foreach (self::MEASURES as $measure) {
            $value = ControlpanelJson::at($usage, 'consumo', $measure);
            $used = ControlpanelJson::at($value, 'usado');
            $limit = ControlpanelJson::at($value, 'limite');
            if (!is_int($used) || (!is_int($limit) && !ControlpanelJson::isNull($value, 'limite'))) {
                throw ControlpanelAnswer::unexpected('a measure is missing');
            }
            $level = ControlpanelJson::text($value, 'nivel');
            $level = in_array($level, ['aviso', 'superado'], true) ? $level : '';
            $rows[] = [
                'name' => $texts[$measure],
                'used' => self::amount($used, $measure),
                'limit' => $limit === null ? $texts['unlimited'] : self::amount($limit, $measure),
                'level' => $level,
                'note' => $level === '' ? '' : $texts[$level],
            ];
        }
        return $rows;
    }

    public static function plan(\stdClass $usage, string $language): string
    {
        if (ControlpanelJson::isNull($usage, 'plan')) {
            return self::TEXTS[$language]['none'];
        }
        $plan = ControlpanelJson::text($usage, 'plan');
        if ($plan === '') {
            throw ControlpanelAnswer::unexpected('the plan is missing');
        }
        return ControlpanelText::line($plan, 100);
    }

    /**
     * The answer to the billing system. The values are plain text; clientarea.tpl escapes each of them.
     *
     * @param array<string, mixed> $values
     * @return array<string, mixed>
     */
    private static function page(array $values): array
    {
        return ['templatefile' => 'clientarea', 'vars' => ['controlpanel' => $values]];
    }

    private static function amount(int $value, string $measure): string
    {
        if (substr($measure, -6) !== '_bytes') {
            return (string) $value;
        }
        $amount = (float) $value;
        $unit = 0;
        $units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];
        while ($amount >= 1024 && $unit < count($units) - 1) {
            $amount /= 1024;
            $unit++;
        }
        return ($unit === 0 ? (string) $value : number_format($amount, 1, '.', '')) . ' ' . $units[$unit];
    }

    /** When the use was measured. */
    public static function age(\stdClass $usage, string $language): string
    {
        $texts = self::TEXTS[$language];
        if (ControlpanelJson::isNull($usage, 'medido')) {
            return $texts['unmeasured'];
        }
        $measured = ControlpanelJson::text($usage, 'medido');
        $form = '/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/D';
        $time = preg_match($form, $measured) === 1 ? strtotime($measured) : false;
        if ($time === false) {
            throw ControlpanelAnswer::unexpected('the time of the measure is missing');
        }
        $minutes = intdiv(max(0, time() - $time), 60);
        if ($minutes < 120) {
            $age = sprintf($texts['minutes'], $minutes);
        } elseif ($minutes < 2880) {
            $age = sprintf($texts['hours'], intdiv($minutes, 60));
        } else {
            $age = sprintf($texts['days'], intdiv($minutes, 1440));
        }
        return sprintf($texts['measured'], $age, gmdate('Y-m-d H:i', $time));
    }
}
