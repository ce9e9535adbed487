/** A `Set-Cookie` value (RFC 6265bis); the name's prefix `__Host-` binds it to this host and to HTTPS. */
export const setCookie = (name: `__Host-${string}`, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`

/** The value of a request's cookie; empty if there is none of that name. */
export function cookieNamed(name: string, header: string | null): string {
  const found = (header ?? '').split(';').find((part) => part.trim().startsWith(`${name}=`))
  return found?.trim().slice(name.length + 1) ?? ''
}
