import { inLanguage } from '../../../text/language.ts'

const en = {
  mailOfTheDomain: 'Mail of this domain',
  what: 'What it needs',
  state: 'State',
  value: 'Value',
  whoReceives: 'Who receives mail (MX)',
  howMailIsSigned: 'The signature of mail (DKIM)',
  isSet: 'Set',
  isMissing: 'Missing',
  canBeBetter: 'Can be better',
  isNotNeeded: 'Not needed',
  stillToCome: (provider: string) =>
    `Only ${provider} knows these values, which are still missing. Without them some of your mail goes to spam.`,
  googleProof: 'Verification text',
  googleProofWhere:
    'In the Google Admin console, when you add or verify the domain. It begins with google-site-verification=.',
  googleKey: 'DKIM key',
  googleKeyWhere:
    'In the Google Admin console: Apps > Google Workspace > Gmail > Authenticate email > Generate new record. Paste the TXT record value, which begins with v=DKIM1. Afterwards click “Start authentication” there.',
  microsoftProof: 'Verification text',
  microsoftProofWhere: 'In the Microsoft 365 admin center: Settings > Domains. It begins with MS=.',
  microsoftKey1: 'DKIM: value of selector1',
  microsoftKey1Where:
    'In Microsoft Defender: Email & collaboration > Policies > DKIM. It is the “Points to” value of the first CNAME.',
  microsoftKey2: 'DKIM: value of selector2',
  microsoftKey2Where: 'From the same place, of the second CNAME. Afterwards switch signing on there.',
  notThatValue: 'This is not that value: copy all of it from the place named above.',
  add: 'Add',
  added: 'Added.',
  goesTo: (zone: string, provider: string) => `The mail of ${zone} now goes to ${provider}.`,
  goesToServer: (zone: string) => `The mail of ${zone} now goes to the server that you named.`,
  hasNoMail: (zone: string) => `${zone} now tells everybody that it has no mail.`,
  close: 'Close',
  leftToDo: 'Left to do',
  later: 'Later, in the tab Mail',
  whoMaySend: 'Who may send mail (SPF)',
  whatHappensElse: 'What happens to forged mail (DMARC)',
  wellAsItIs: 'Fine as it is',
  proposal: 'Better:',
  sayFirst: 'Say first where the mail of this domain is, with “Set up mail” above.',
  seeTheChange: 'See the change',
  makeTheChange: 'Make this change',
  terms: 'Parts of the record',
  term: 'Part',
  meaning: 'Meaning',
  lookups: 'Look-ups',
  ofTenLookups: (count: string) => `${count} of 10 look-ups`,
  missing: 'There is no such record: anyone can send mail in the name of this domain.',
  severalRecords: 'There is more than one record, so receivers use none of them.',
  unknownTerm: 'One of its parts does not exist, so receivers use none of it.',
  noEnd: 'It does not say what holds for all other servers.',
  allowsAll: 'It allows every server to send mail in the name of this domain.',
  usesPtr: 'ptr is slow and ignored by many receivers.',
  tooManyLookups:
    'It causes more than 10 look-ups: receivers refuse it as a whole. Remove what is no longer used.',
  notAllAnswered: 'Not all that it includes could be looked up, so it may cause more look-ups.',
  noPolicy: 'It does not say what to do with forged mail.',
  onlyWatches:
    'Forged mail is still delivered. Once your mail is signed with DKIM and all your servers are in SPF, have it sent to spam.',
  anyServerElse: 'every other server',
  mayNot: (who: string, _many: boolean) => `${who} may not send`,
  shouldNot: (who: string, many: boolean) =>
    `${who} should not send: ${many ? 'their' : 'its'} mail goes to spam`,
  undecided: (who: string, _many: boolean) => `nothing is said about ${who}`,
  may: (who: string, _many: boolean) => `${who} may send`,
  theMailServers: 'the mail servers of',
  theAddressesOf: 'the addresses of',
  thisDomain: 'this domain',
  address: 'the address',
  whatIsIn: 'the servers of',
  asIn: 'everything as in the record of',
  unknown: 'no part of SPF',
  whoeverPasses: 'whoever passes the look-up of',
}

const es: typeof en = {
  mailOfTheDomain: 'El correo de este dominio',
  what: 'Lo que necesita',
  state: 'Estado',
  value: 'Valor',
  whoReceives: 'Quién recibe el correo (MX)',
  howMailIsSigned: 'La firma del correo (DKIM)',
  isSet: 'Puesto',
  isMissing: 'Falta',
  canBeBetter: 'Se puede mejorar',
  isNotNeeded: 'No hace falta',
  stillToCome: (provider) =>
    `Faltan estos valores, que solo conoce ${provider}. Sin ellos, parte de su correo acabará en spam.`,
  googleProof: 'Texto de verificación',
  googleProofWhere:
    'En la consola de administración de Google, al añadir o verificar el dominio. Empieza por google-site-verification=.',
  googleKey: 'Clave DKIM',
  googleKeyWhere:
    'En la consola de administración de Google: Aplicaciones > Google Workspace > Gmail > Autenticar correo > Generar registro nuevo. Pegue el valor del registro TXT, que empieza por v=DKIM1. Después pulse allí «Iniciar autenticación».',
  microsoftProof: 'Texto de verificación',
  microsoftProofWhere:
    'En el centro de administración de Microsoft 365: Configuración > Dominios. Empieza por MS=.',
  microsoftKey1: 'DKIM: valor de selector1',
  microsoftKey1Where:
    'En Microsoft Defender: Correo y colaboración > Directivas > DKIM. Es el destino («Points to») del primer CNAME.',
  microsoftKey2: 'DKIM: valor de selector2',
  microsoftKey2Where: 'Del mismo lugar, el del segundo CNAME. Después active allí la firma.',
  notThatValue: 'Este no es ese valor: cópielo entero del lugar que se indica arriba.',
  add: 'Añadir',
  added: 'Añadido.',
  goesTo: (zone, provider) => `El correo de ${zone} va ahora a ${provider}.`,
  goesToServer: (zone) => `El correo de ${zone} va ahora al servidor que ha indicado.`,
  hasNoMail: (zone) => `${zone} indica ahora a todos que no tiene correo.`,
  close: 'Cerrar',
  leftToDo: 'Queda por hacer',
  later: 'Más tarde, en la pestaña Correo',
  whoMaySend: 'Quién puede enviar correo (SPF)',
  whatHappensElse: 'Qué se hace con el correo falsificado (DMARC)',
  wellAsItIs: 'Bien como está',
  proposal: 'Mejor:',
  sayFirst: 'Diga primero dónde está el correo de este dominio, con «Configurar el correo», arriba.',
  seeTheChange: 'Ver el cambio',
  makeTheChange: 'Hacer este cambio',
  terms: 'Partes del registro',
  term: 'Parte',
  meaning: 'Significado',
  lookups: 'Consultas',
  ofTenLookups: (count: string) => `${count} de 10 consultas`,
  missing: 'No hay ningún registro así: cualquiera puede enviar correo en nombre de este dominio.',
  severalRecords: 'Hay más de un registro, así que los receptores no usan ninguno.',
  unknownTerm: 'Una de sus partes no existe, así que los receptores no usan nada de él.',
  noEnd: 'No dice qué vale para los demás servidores.',
  allowsAll: 'Permite a cualquier servidor enviar correo en nombre de este dominio.',
  usesPtr: 'ptr es lento y muchos receptores lo ignoran.',
  tooManyLookups: 'Causa más de 10 consultas: los receptores lo rechazan entero. Quite lo que ya no se usa.',
  notAllAnswered: 'No se pudo consultar todo lo que incluye, así que puede causar más consultas.',
  noPolicy: 'No dice qué hacer con el correo falsificado.',
  onlyWatches:
    'El correo falsificado se sigue entregando. Cuando su correo lleve firma DKIM y todos sus servidores estén en SPF, haga que vaya a spam.',
  anyServerElse: 'cualquier otro servidor',
  mayNot: (who, many) => `${who} no ${many ? 'pueden' : 'puede'} enviar`,
  shouldNot: (who, many) => `${who} no ${many ? 'deberían' : 'debería'} enviar: su correo acaba en spam`,
  undecided: (who) => `no se dice nada sobre ${who}`,
  may: (who, many) => `${who} ${many ? 'pueden' : 'puede'} enviar`,
  theMailServers: 'los servidores de correo de',
  theAddressesOf: 'las direcciones de',
  thisDomain: 'este dominio',
  address: 'la dirección',
  whatIsIn: 'los servidores de',
  asIn: 'todo como en el registro de',
  unknown: 'no es una parte de SPF',
  whoeverPasses: 'quien pase la consulta de',
}

export const texts = inLanguage({ en, es })

/** What a term of an SPF record says, in words. */
export function spfTermWords(term: string): string {
  const [, sign = '', kind = '', target] = /^([+\-~?]?)(\w+)(?:[:=/](.+))?$/.exec(term) ?? []
  const whose = target ?? texts.thisDomain
  if (kind.toLowerCase() === 'redirect') return `${texts.asIn} ${whose}`
  const subject = subjectOf(kind.toLowerCase(), whose)
  if (subject === null) return texts.unknown
  const verdict = { '-': texts.mayNot, '~': texts.shouldNot, '?': texts.undecided }[sign] ?? texts.may
  return verdict(subject.who, subject.many)
}

type Subject = { who: string; many: boolean }

function subjectOf(kind: string, target: string): Subject | null {
  const one = (who: string) => ({ who, many: false })
  const many = (who: string) => ({ who, many: true })
  const subjects: Record<string, Subject> = {
    all: one(texts.anyServerElse),
    mx: many(`${texts.theMailServers} ${target}`),
    a: many(`${texts.theAddressesOf} ${target}`),
    ptr: many(`${texts.theAddressesOf} ${target}`),
    ip4: one(`${texts.address} ${target}`),
    ip6: one(`${texts.address} ${target}`),
    include: many(`${texts.whatIsIn} ${target}`),
    exists: one(`${texts.whoeverPasses} ${target}`),
  }
  return subjects[kind] ?? null
}
