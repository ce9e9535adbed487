import type { SetupPoint } from '../data.ts'
import { texts } from './texts.ts'

type Point = SetupPoint['punto']

/** What a point is about, and what to do where the node has no advice of its own. */
export function pointWords({ punto, motivo }: Pick<SetupPoint, 'punto' | 'motivo'>) {
  const words: Record<Point, [title: string, advice: string]> = {
    correo: [texts.mail, mailAdvice(motivo)],
    direcciones: [texts.addresses, texts.addressesAdvice],
    servidores_dns: [texts.nameServers, texts.nameServersAdvice],
    certificado: [texts.certificate, texts.certificateAdvice],
    cuotas: [texts.quota, texts.quotaAdvice],
    copias: [texts.backups, texts.backupsAdvice],
    plan: [texts.plan, texts.planAdvice],
    cliente: [texts.client, texts.clientAdvice],
    token: [texts.billing, motivo === 'sin_usar' ? texts.useToken : texts.billingAdvice],
  }
  const [title, advice] = words[punto]
  return { title, advice }
}

function mailAdvice(reason: SetupPoint['motivo']): string {
  if (reason === 'sin_probar') return texts.tryMail
  return reason === 'fallo' ? texts.mailFailed : texts.mailAdvice
}

/** Why it is not done. */
export function reasonWords(reason: SetupPoint['motivo']): string {
  const words = {
    sin_configurar: texts.notSet,
    sin_probar: texts.notTried,
    sin_usar: texts.notUsed,
    fallo: texts.failed,
  }
  return words[reason ?? 'sin_configurar']
}

/** Where it is done, and what the way there is called; null where that is on no screen. */
export function placeOf({ punto, motivo }: SetupPoint): { href: string; label: string } | null {
  if (punto === 'copias') return { href: '/panel/nodos', label: texts.chooseDestination }
  if (punto === 'plan') return { href: '/panel/planes?nuevo=si', label: texts.createPlan }
  if (punto === 'cliente') return { href: '/panel/clientes/nuevo', label: texts.createClient }
  if (punto !== 'token') return null
  return { href: '/panel/tokens', label: motivo === 'sin_usar' ? texts.seeTokens : texts.createToken }
}
