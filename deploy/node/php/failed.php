<?php
// Before each program of a site: where it ends by an error without a word, visitors get a page instead of nothing.
register_shutdown_function(static function (): void {
    // After what the program itself does at its end, which may be a page of its own.
    register_shutdown_function(static function (): void {
        $error = error_get_last();
        $fatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
        $is_read_by_people = strpos($_SERVER['HTTP_ACCEPT'] ?? '', 'text/html') !== false;
        if ($error === null || !($error['type'] & $fatal) || !$is_read_by_people) {
            return;
        }
        if (http_response_code() !== 500 || headers_sent()) {
            return;
        }
        foreach (ob_get_status(true) as $buffer) {
            if ($buffer['buffer_used'] > 0) {
                return;
            }
        }
        foreach (headers_list() as $header) {
            if (preg_match('#^content-(?:length|encoding|disposition|type:\s*(?!text/html))#i', $header)) {
                return;
            }
        }
        header('Content-Type: text/html; charset=utf-8');
        header('Cache-Control: no-store');
        echo '@PAGE@';
    });
});
