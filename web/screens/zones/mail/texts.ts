import { inLanguage } from '../../../text/language.ts'

const en = {
  whoMaySend: 'Who may send mail (SPF)',
  whatHappensElse: 'What happens to other mail (DMARC)',
  wellAsItIs: 'Well as it is',
  proposal: 'Better:',
  seeTheChange: 'See the change',
  makeTheChange: 'Make this change',
  terms: 'Terms of the record',
  term: 'Term',
  meaning: 'Meaning',
  lookups: 'Look-ups',
  ofTenLookups: (count: string) => `${count} of 10 look-ups`,
  missing: 'There is no such record: anyone can send mail in the name of this domain.',
  severalRecords: 'There is more than one record, so receivers use none of them.',
  unknownTerm: 'One of its terms does not exist, so receivers use none of it.',
  noEnd: 'It does not say what holds for all other servers.',
  allowsAll: 'It allows every server to send mail in the name of this domain.',
  usesPtr: 'ptr is slow and ignored by many receivers.',
  tooManyLookups:
    'It causes more than 10 look-ups: receivers refuse it as a whole. Remove what is no longer used.',
  notAllAnswered: 'Not all that it includes could be looked up, so it may cause more look-ups.',
  noPolicy: 'It does not say what to do with forged mail.',
  onlyWatches: 'Forged mail is still delivered. Once all your own servers are in SPF, let it be put aside.',
  anyServerElse: 'every other server',
  mayNot: 'may not send',
  shouldNot: 'should not send: its mail is suspicious',
  undecided: 'nothing is said about',
  may: 'may send',
  theMailServers: 'the mail servers of',
  theAddressesOf: 'the addresses of',
  thisDomain: 'this domain',
  address: 'the address',
  whatIsIn: 'what the record allows of',
  asIn: 'everything as in the record of',
  unknown: 'no term of SPF',
  whoeverPasses: 'whoever a look-up allows:',
}

const es: typeof en = {
  whoMaySend: 'Quién puede enviar correo (SPF)',
  whatHappensElse: 'Qué pasa con el otro correo (DMARC)',
  wellAsItIs: 'Bien como está',
  proposal: 'Mejor:',
  seeTheChange: 'Ver el cambio',
  makeTheChange: 'Hacer este cambio',
  terms: 'Términos del registro',
  term: 'Término',
  meaning: 'Significado',
  lookups: 'Consultas',
  ofTenLookups: (count: string) => `${count} de 10 consultas`,
  missing: 'No hay ningún registro así: cualquiera puede enviar correo en nombre de este dominio.',
  severalRecords: 'Hay más de un registro, así que los receptores no usan ninguno.',
  unknownTerm: 'Uno de sus términos no existe, así que los receptores no usan nada de él.',
  noEnd: 'No dice qué vale para los demás servidores.',
  allowsAll: 'Permite a cualquier servidor enviar correo en nombre de este dominio.',
  usesPtr: 'ptr es lento y muchos receptores lo ignoran.',
  tooManyLookups: 'Causa más de 10 consultas: los receptores lo rechazan entero. Quite lo que ya no se usa.',
  notAllAnswered: 'No se pudo consultar todo lo que incluye, así que puede causar más consultas.',
  noPolicy: 'No dice qué hacer con el correo falsificado.',
  onlyWatches:
    'El correo falsificado se sigue entregando. Cuando todos sus servidores estén en SPF, haga que se aparte.',
  anyServerElse: 'cualquier otro servidor',
  mayNot: 'no puede enviar',
  shouldNot: 'no debería enviar: su correo es sospechoso',
  undecided: 'no se dice nada sobre',
  may: 'puede enviar',
  theMailServers: 'los servidores de correo de',
  theAddressesOf: 'las direcciones de',
  thisDomain: 'este dominio',
  address: 'la dirección',
  whatIsIn: 'lo que permite el registro de',
  asIn: 'todo como en el registro de',
  unknown: 'no es un término de SPF',
  whoeverPasses: 'a quien permita una consulta:',
}

export const texts = inLanguage({ en, es })

/** What a term of an SPF record says, in words. */
export function spfTermWords(term: string): string {
  const [, sign = '', kind = '', target] = /^([+\-~?]?)(\w+)(?:[:=/](.+))?$/.exec(term) ?? []
  const verdict = { '-': texts.mayNot, '~': texts.shouldNot, '?': texts.undecided }[sign] ?? texts.may
  const who = subjectOf(kind.toLowerCase(), target ?? texts.thisDomain)
  if (who === null) return texts.unknown
  return kind.toLowerCase() === 'redirect' ? who : `${who}: ${verdict}`
}

function subjectOf(kind: string, target: string): string | null {
  const subjects: Record<string, string> = {
    all: texts.anyServerElse,
    mx: `${texts.theMailServers} ${target}`,
    a: `${texts.theAddressesOf} ${target}`,
    ptr: `${texts.theAddressesOf} ${target}`,
    ip4: `${texts.address} ${target}`,
    ip6: `${texts.address} ${target}`,
    include: `${texts.whatIsIn} ${target}`,
    exists: `${texts.whoeverPasses} ${target}`,
    redirect: `${texts.asIn} ${target}`,
  }
  return subjects[kind] ?? null
}
