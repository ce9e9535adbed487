<?php

namespace WHMCS\Config;

/** The billing system's settings table. */
final class Setting
{
    /** @var array<string, string> */
    public static $values = [];

    /** @var bool */
    public static $broken = false;

    public static function getValue(string $name): ?string
    {
        if (self::$broken) {
            throw new \RuntimeException('SQLSTATE[HY000] [2002] Connection refused');
        }
        return self::$values[$name] ?? null;
    }
}
