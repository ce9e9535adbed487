/** Every status that nginx answers by itself, its own 494 to 497 included. */
const REFUSALS = [
  400, 401, 402, 403, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 421, 429, 494, 495, 496, 497,
  500, 501, 505, 507,
]

/** Where the panel's page for a refusal is; nobody asks for it from outside. */
export const REFUSAL = '/_refusal_of_the_panel'

/** The pages of the panel's own instead of nginx's, but for the codes that a location sees to itself. */
export function errorPages(except: number[] = []): string[] {
  const own = (codes: number[]) => codes.filter((code) => !except.includes(code)).join(' ')
  return [
    ...(except.includes(404) ? [] : ['error_page 404 @missing;']),
    'error_page 502 503 504 =503 @unavailable;',
    // Not a named location, which keeps the request's path: an unreadable request has none.
    `error_page ${own(REFUSALS)} ${REFUSAL};`,
    'error_page 418 = @unannounced_body;',
  ]
}
