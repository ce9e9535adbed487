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
}

export const texts = inLanguage({ en, es })
