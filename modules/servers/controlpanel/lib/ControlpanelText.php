<?php

declare(strict_types=1);

/** Text from outside, made safe to send or to show, without the mbstring extension. */
final class ControlpanelText
{
    /** Valid UTF-8: every invalid byte becomes U+FFFD. */
    public static function utf8(string $text): string
    {
        $decoded = json_decode((string) json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE));
        return is_string($decoded) ? $decoded : '';
    }

    /**
     * One line of valid UTF-8, without characters that control or that turn round what follows, of at most $max
     * characters, never a broken one. Those outside the basic plane (emoji) count as two, since the panel counts
     * UTF-16 units: a reason that it found too long would keep a service from being suspended.
     */
    public static function line(string $text, int $max): string
    {
        $clean = preg_replace('/[\x{00}-\x{1F}\x{7F}-\x{9F}\x{2028}-\x{202E}\x{2066}-\x{2069}]+/u', ' ', self::utf8($text));
        $clean = trim((string) $clean);
        $units = 0;
        $kept = 0;
        foreach (preg_split('//u', $clean, $max + 1, PREG_SPLIT_NO_EMPTY) ?: [] as $character) {
            $units += strlen($character) === 4 ? 2 : 1;
            if ($units > $max) {
                break;
            }
            $kept += strlen($character);
        }
        return rtrim(substr($clean, 0, $kept));
    }

    /** As line(), for what the billing system keeps with HTML entities (names, reasons typed in a form). */
    public static function typed(string $text, int $max): string
    {
        return self::line(html_entity_decode($text, ENT_QUOTES | ENT_HTML5, 'UTF-8'), $max);
    }

    /** For a message that an admin page may print as it is: no markup. */
    public static function message(string $text, int $max = 500): string
    {
        return self::line(str_replace(['<', '>'], '', $text), $max);
    }

    /** HTML text or attribute. Braces too: some themes pass module output through the template engine again. */
    public static function html(string $text): string
    {
        $escaped = htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
        return str_replace(['{', '}'], ['&#123;', '&#125;'], $escaped);
    }
}
