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

    /** What is shown on any failure: it names no host, no status and no cause. */
    public static function neutral(string $language): string
    {
        return '<div class="alert alert-info">' . ControlpanelText::html(self::TEXTS[$language]['neutral']) . '</div>';
    }

    /** @throws ControlpanelFailure where the answer is not a whole record of use */
    public static function render(\stdClass $usage, string $origin, string $language): string
    {
        $texts = self::TEXTS[$language];
        $rows = '';
        foreach (self::MEASURES as $measure) {
            $rows .= self::row(ControlpanelJson::at($usage, 'consumo', $measure), $measure, $texts);
        }
        $head = '<th>' . $texts['resource'] . '</th><th>' . $texts['used'] . '</th><th>' . $texts['limit']
            . '</th><th></th>';
        return '<div class="controlpanel-usage">'
            . '<p><strong>' . $texts['plan'] . ':</strong> ' . self::plan($usage, $texts) . '</p>'
            . '<table class="table table-striped"><thead><tr>' . $head . '</tr></thead><tbody>' . $rows
            . '</tbody></table><p class="text-muted small">' . self::age($usage, $texts) . '</p>'
            . '<p><a class="btn btn-default btn-outline-secondary" target="_blank" rel="noopener noreferrer" href="'
            . ControlpanelText::html($origin . '/') . '">' . $texts['open'] . '</a></p></div>';
    }

    /** @param array<string, string> $texts */
    private static function plan(\stdClass $usage, array $texts): string
    {
        if (ControlpanelJson::isNull($usage, 'plan')) {
            return $texts['none'];
        }
        $plan = ControlpanelJson::text($usage, 'plan');
        if ($plan === '') {
            throw ControlpanelAnswer::unexpected('the plan is missing');
        }
        return ControlpanelText::html($plan);
    }

    /**
     * @param mixed $value
     * @param array<string, string> $texts
     */
    private static function row($value, string $measure, array $texts): string
    {
        $used = ControlpanelJson::at($value, 'usado');
        $limit = ControlpanelJson::at($value, 'limite');
        if (!is_int($used) || (!is_int($limit) && !ControlpanelJson::isNull($value, 'limite'))) {
            throw ControlpanelAnswer::unexpected('a measure is missing');
        }
        $level = ControlpanelJson::text($value, 'nivel');
        $labels = ['aviso' => 'label-warning badge-warning', 'superado' => 'label-danger badge-danger'];
        $label = isset($labels[$level])
            ? '<span class="label badge ' . $labels[$level] . '">' . $texts[$level] . '</span>'
            : '';
        return '<tr><td>' . $texts[$measure] . '</td><td>' . self::amount($used, $measure) . '</td><td>'
            . ($limit === null ? $texts['unlimited'] : self::amount($limit, $measure)) . '</td><td>' . $label
            . '</td></tr>';
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

    /** @param array<string, string> $texts */
    private static function age(\stdClass $usage, array $texts): string
    {
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
        return ControlpanelText::html(sprintf($texts['measured'], $age, gmdate('Y-m-d H:i', $time)));
    }
}
