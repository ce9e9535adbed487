/** PHP-FPM ends a request after 120 s by itself. */
export const PHP_REQUEST_SECONDS = 120
export const UPLOAD_MEGABYTES = 64
/** What a site's settings may raise it to. */
export const UPLOAD_MEGABYTES_MAX = 128
