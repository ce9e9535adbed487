/** What stands around the paragraphs of every mail; a line whose values are not all known is left out. */
export const MAIL_FRAME = {
  es: {
    greeting: 'Hola, {persona}:',
    plainGreeting: 'Hola:',
    help: 'Ayuda: {soporte}',
    foot: '{empresa} · {panel}',
  },
  en: {
    greeting: 'Hello {persona},',
    plainGreeting: 'Hello,',
    help: 'Help: {soporte}',
    foot: '{empresa} · {panel}',
  },
}

/** How the operator calls itself, and where it helps; without a name it is the panel's host. */
export const operatorValues = ({ name, support }: { name: string | null; support: string | null }) => ({
  ...(name === null ? {} : { empresa: name }),
  soporte: (support ?? '').replace(/^mailto:/, ''),
})

/** The client whose customer a mail greets. */
export const welcomed = ({ cliente }: Record<string, string>): string => cliente ?? ''

/** Whom a mail on an account greets, and how it calls the account: several logins may share an address. */
export const accountValues = ({
  email,
  client,
  title,
}: Record<'client' | 'title', string | null> & { email: string }) => ({
  cuenta: client === null ? email : `${email} (${client})`,
  persona: title ?? '',
})

type Welcome = {
  name: string | null
  domain: string | null
  nameServers: readonly string[]
  /** The names of the site. */
  names: readonly string[]
  addresses: readonly string[]
}

/** What the first mail to a customer is filled with: whom it greets, and how the first site is connected. */
export function welcomeValues({ name, domain, nameServers, names, addresses }: Welcome) {
  const records = addresses.map((address) => `${address.includes(':') ? 'AAAA' : 'A'} ${address}`).join(', ')
  const byServers = nameServers.length > 0
  return {
    persona: name ?? '',
    dominio: domain ?? '',
    nombres: names.join(', '),
    servidores: domain === null ? '' : nameServers.join(', '),
    registros: byServers ? records : '',
    solo_registros: byServers || domain === null ? '' : records,
  }
}

/** What fills the mails to a client about the mail of its programs. */
export const mailNotice = (client: string, number: number) => ({ cliente: client, numero: String(number) })
