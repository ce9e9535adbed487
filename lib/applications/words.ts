import type { NewApplication } from '../endpoint/ports/applications.ts'
import { MANIFESTS } from './manifests/index.ts'

/** What the application itself mails to its owner; it fills in by what a password is chosen. */
export function welcomeMail(
  language: 'es' | 'en',
  { kind, title, url, login }: Pick<NewApplication, 'kind' | 'title' | 'url' | 'login'>,
): NewApplication['mail'] {
  const { name, welcome, signIn } = MANIFESTS[kind]
  const how = welcome[language]
  if (language === 'es') {
    return {
      subject: `[${title}] Su ${name} está instalado`,
      text: `${name} está instalado en ${url}/\n\nUsuario: ${login}\n${how}\n\nDespués entre en ${url}${signIn}\n`,
    }
  }
  return {
    subject: `[${title}] Your ${name} is installed`,
    text: `${name} is installed at ${url}/\n\nUser: ${login}\n${how}\n\nThen sign in at ${url}${signIn}\n`,
  }
}
