<?php

declare(strict_types=1);

/**
 * Reads decoded JSON whose shape is not trusted.
 *
 * Objects stay objects: with associative arrays `{}` and `[]` could not be told apart, and an empty list is what
 * makes a termination succeed.
 */
final class ControlpanelJson
{
    /** @return \stdClass|null the decoded object, or null for anything else (a list, HTML, nothing) */
    public static function decode(string $text): ?\stdClass
    {
        $value = json_decode($text, false, 64);
        return $value instanceof \stdClass ? $value : null;
    }

    /**
     * @param mixed $value
     * @return mixed the value at that path, or null where any step is missing
     */
    public static function at($value, string ...$path)
    {
        foreach ($path as $key) {
            if (!$value instanceof \stdClass || !property_exists($value, $key)) {
                return null;
            }
            $value = $value->{$key};
        }
        return $value;
    }

    /**
     * @param mixed $value
     * @return string the text at that path, or '' where there is none
     */
    public static function text($value, string ...$path): string
    {
        $found = self::at($value, ...$path);
        return is_string($found) ? $found : '';
    }

    /**
     * Whether the key is there and is null: an absent key is a broken answer, not "none".
     *
     * @param mixed $value
     */
    public static function isNull($value, string $key): bool
    {
        return $value instanceof \stdClass && property_exists($value, $key) && $value->{$key} === null;
    }
}
