import { inLanguage } from '../../text/language.ts'

const en = {
  connectYourDomain: 'Connect your domain',
  leadsHere: (domain: string) => `${domain} points here.`,
  nothingToSet: 'The server has no public address yet. Your provider has to set one.',
  byNameServers: 'Enter these name servers at your registrar',
  byNameServersHow:
    'The registrar is where you bought the domain. Replace the name servers that are there; the records of your zone here count from then on.',
  byRecords: 'Set these records at your DNS provider',
  orByRecords: 'Or keep your DNS where it is, and set these records there',
  byRecordsHow:
    'Remove other A and AAAA records of the same names. Leave your mail records (MX) as they are.',
  itTakesTime: 'A change shows within minutes at most DNS providers; new name servers can take a day or two.',
  found: 'What was found',
  notTold: 'DNS could not be asked about this domain just now. It is asked again automatically.',
  nameServersNow: 'The domain has these name servers now:',
  noNameServers: 'The domain has no name servers: none have been entered yet, or it is not registered.',
  looksAgain: (when: string) => `Next check: ${when}.`,
  asked: (when: string) => `Checked ${when}.`,
  checkAgain: 'Check again',
  copy: (value: string) => `Copy ${value}`,
  seeItFirst: 'See it before you switch',
  seeItFirstHow: 'Whatever the domain shows today, this is what visitors will get from this server.',
  askForFirstPage: 'Check my first page',
  pageAnswers: (parts: string[]) => `Your first page answers: ${parts.join(', ')}.`,
  quoted: (title: string) => `“${title}”`,
  sendsOn: (where: string) => `Your first page sends visitors on to ${where}`,
  pageFails: (status: number) => `Your first page fails (error ${status}).`,
  asksPassword: 'Your first page asks for a user name and a password.',
  noPage: (status: number) => `Visitors get no first page (error ${status}).`,
  noAnswer: 'Your first page did not answer within four seconds.',
  openLog: 'See the log',
  inYourBrowser: 'See it in your own browser',
  hostsHow:
    'Add this to the hosts file of your computer. It changes what this computer sees and nothing else; take it out again once the domain points here.',
  copyLines: 'Copy for the hosts file',
  onWindows:
    'Windows: open Notepad as administrator and in it C:\\Windows\\System32\\drivers\\etc\\hosts (choose “All files” to see it). Paste this at the end and save.',
  onMac:
    'macOS: open Terminal and type sudo nano /etc/hosts, then your password. Paste this at the end and press Ctrl+O, Enter and Ctrl+X.',
  onLinux:
    'Linux: open a terminal and type sudo nano /etc/hosts, then your password. Paste this at the end and press Ctrl+O, Enter and Ctrl+X.',
  thenOpen: (address: string) =>
    `Then open ${address} in a private window. Until the certificate is there, your browser warns about https; that is to be expected.`,
}

const es: typeof en = {
  connectYourDomain: 'Conecte su dominio',
  leadsHere: (domain) => `${domain} apunta aquí.`,
  nothingToSet: 'El servidor aún no tiene ninguna dirección pública. Debe indicarla su proveedor.',
  byNameServers: 'Ponga estos servidores DNS en su registrador',
  byNameServersHow:
    'El registrador es donde compró el dominio. Sustituya los servidores DNS que haya; desde entonces cuentan los registros de su zona de aquí.',
  byRecords: 'Ponga estos registros en su proveedor de DNS',
  orByRecords: 'O deje su DNS donde está y ponga allí estos registros',
  byRecordsHow:
    'Quite los demás registros A y AAAA de los mismos nombres. Los de correo (MX) déjelos como están.',
  itTakesTime:
    'En casi todos los proveedores el cambio se ve en minutos; unos servidores DNS nuevos pueden tardar uno o dos días.',
  found: 'Lo que se ha encontrado',
  notTold: 'Ahora no se pudo consultar el DNS de este dominio. Se consulta de nuevo automáticamente.',
  nameServersNow: 'El dominio tiene ahora estos servidores DNS:',
  noNameServers: 'El dominio no tiene servidores DNS: aún no se ha puesto ninguno o no está registrado.',
  looksAgain: (when) => `Se comprueba de nuevo el ${when}.`,
  asked: (when) => `Comprobado ${when}.`,
  checkAgain: 'Comprobar otra vez',
  copy: (value) => `Copiar ${value}`,
  seeItFirst: 'Véalo antes de cambiar el dominio',
  seeItFirstHow: 'Muestre hoy lo que muestre el dominio, esto es lo que dará este servidor a los visitantes.',
  askForFirstPage: 'Comprobar mi página de inicio',
  pageAnswers: (parts) => `Su página de inicio responde: ${parts.join(', ')}.`,
  quoted: (title) => `«${title}»`,
  sendsOn: (where) => `Su página de inicio lleva a los visitantes a ${where}`,
  pageFails: (status) => `Su página de inicio falla (error ${status}).`,
  asksPassword: 'Su página de inicio pide usuario y contraseña.',
  noPage: (status) => `Los visitantes no reciben ninguna página de inicio (error ${status}).`,
  noAnswer: 'Su página de inicio no ha respondido en cuatro segundos.',
  openLog: 'Ver la bitácora',
  inYourBrowser: 'Verlo en su navegador',
  hostsHow:
    'Añada esto al archivo hosts de su ordenador. Solo cambia lo que ve ese ordenador; quítelo cuando el dominio apunte aquí.',
  copyLines: 'Copiar para el archivo hosts',
  onWindows:
    'Windows: abra el Bloc de notas como administrador y, en él, C:\\Windows\\System32\\drivers\\etc\\hosts (elija «Todos los archivos» para verlo). Péguelo al final y guarde.',
  onMac:
    'macOS: abra Terminal y escriba sudo nano /etc/hosts y después su contraseña. Péguelo al final y pulse Ctrl+O, Intro y Ctrl+X.',
  onLinux:
    'Linux: abra un terminal y escriba sudo nano /etc/hosts y después su contraseña. Péguelo al final y pulse Ctrl+O, Intro y Ctrl+X.',
  thenOpen: (address) =>
    `Abra después ${address} en una ventana privada. Mientras no haya certificado, el navegador avisa con https: es lo normal.`,
}

export const texts = inLanguage({ en, es })
