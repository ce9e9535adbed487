import type { SETUP_POINTS, SETUP_REASONS } from '../../schema/states.ts'
import type { NodeService } from '../../schema/tables.ts'

export type SetupPoint = {
  point: (typeof SETUP_POINTS)[number]
  /** Null once it is done. */
  reason: (typeof SETUP_REASONS)[number] | null
  advice: NodeService['advice']
}

export type SetupFacts = {
  /** The nodes that are there: their services, whether their disks count, whether copies of them are kept. */
  nodes: { services: readonly NodeService[]; quota: boolean | null; copied: boolean }[]
  /** What became of the last test mail; null before the first. */
  test: 'en_cola' | 'enviando' | 'enviado' | 'fallido' | 'anulado' | null
  /** Whether a mail server did not take it at the first try. */
  refused: boolean
  /** Whether a mail server ever took a mail of the panel's. */
  sent: boolean
  selfSigned: boolean
  plans: boolean
  clients: boolean
  tokens: 'none' | 'unused' | 'used'
}

/** What is set up, and of the rest why it is not, in the order in which it is best done. */
export function decideSetup(facts: SetupFacts): SetupPoint[] {
  const { nodes, selfSigned, plans, clients, tokens } = facts
  const plain = (point: SetupPoint['point'], done: boolean): SetupPoint => ({
    point,
    reason: done ? null : 'sin_configurar',
    advice: null,
  })
  return [
    mailPoint(facts),
    settingPoint(facts, 'direcciones'),
    settingPoint(facts, 'servidores_dns'),
    plain('certificado', !selfSigned),
    quotaPoint(facts),
    plain('copias', nodes.length > 0 && nodes.every(({ copied }) => copied)),
    plain('plan', plans),
    plain('cliente', clients),
    {
      point: 'token',
      reason: { none: 'sin_configurar', unused: 'sin_usar', used: null }[tokens] as SetupPoint['reason'],
      advice: null,
    },
  ]
}

/** Mail works once a server took one; the last test counts more than older mail. */
function mailPoint(facts: SetupFacts): SetupPoint {
  const setting = settingPoint(facts, 'correo')
  if (setting.reason !== null) return setting
  const { test, refused, sent } = facts
  const failed = test === 'fallido' || (test !== 'enviado' && refused)
  const reason = failed ? 'fallo' : test === 'enviado' || (test === null && sent) ? null : 'sin_probar'
  return { point: 'correo', reason, advice: null }
}

/** A setting of the nodes: they tell it among their services where it is missing. */
function settingPoint({ nodes }: SetupFacts, point: 'correo' | 'direcciones' | 'servidores_dns'): SetupPoint {
  const missing = nodes.flatMap(({ services }) =>
    services.filter(({ name, running }) => name === point && !running),
  )
  const [first] = missing
  return { point, reason: first ? 'sin_configurar' : null, advice: first?.advice ?? null }
}

/** What a node advises about its disk may be that it is full: that is told elsewhere. */
function quotaPoint({ nodes }: SetupFacts): SetupPoint {
  const without = nodes.some(({ quota }) => quota === false)
  return { point: 'cuotas', reason: without ? 'sin_configurar' : null, advice: without ? NO_QUOTA : null }
}

const NO_QUOTA = {
  es: 'El sistema de archivos de los clientes no tiene cuotas: uno solo puede llenarlo. Móntelo con usrquota (ext4, xfs) o use btrfs con cuotas.',
  en: 'The file system of the clients has no quota: one of them can fill it. Mount it with usrquota (ext4, xfs) or use btrfs with quotas.',
}
