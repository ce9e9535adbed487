import type { NewApplication } from '../endpoint/ports/applications.ts'

/** What the application itself mails to its owner; it fills in the link by which a password is chosen. */
export function welcomeMail(
  language: 'es' | 'en',
  { title, url, login }: Pick<NewApplication, 'title' | 'url' | 'login'>,
): NewApplication['mail'] {
  if (language === 'es') {
    return {
      subject: `[${title}] Su WordPress está instalado`,
      text: `WordPress está instalado en ${url}/\n\nUsuario: ${login}\nElija su contraseña con este enlace, que vale un día:\n{enlace}\n\nDespués entre en ${url}/wp-login.php\n`,
    }
  }
  return {
    subject: `[${title}] Your WordPress is installed`,
    text: `WordPress is installed at ${url}/\n\nUser: ${login}\nChoose your password by this link, which works for a day:\n{enlace}\n\nThen sign in at ${url}/wp-login.php\n`,
  }
}
