import { auditView } from '../audit/view.ts'
import { isLate } from '../backups/decide-retention.ts'
import type { PanelConfig } from '../endpoint/context.ts'
import { wireTime } from '../endpoint/page.ts'
import { isAbsent } from '../nodes/decide.ts'
import { isWell, NODE_SETTINGS } from '../nodes/nodes.ts'
import type { SeenName } from '../proof/connection.ts'
import { seenNameView } from '../proof/connection-view.ts'
import { storedFaultText } from '../text/stored-faults.ts'
import { wordsIn } from '../text/words.ts'
import { knownOf } from '../updates/look.ts'
import { releaseView } from '../updates/view.ts'
import { jobView } from '../work/view.ts'
import { choicesOf } from './choices.ts'
import { decideSetup, type SetupFacts } from './decide-setup.ts'
import type { SummaryFacts } from './facts.ts'
import type { SummaryView } from './shapes.ts'

type About = Pick<PanelConfig, 'version' | 'updatesUrl'> & {
  now: Date
  language: 'es' | 'en'
  selfSigned: boolean
  seen: SeenName[] | null
}

/** The summary as it is returned. */
export function summaryView(facts: SummaryFacts, about: About): SummaryView {
  const { language, seen } = about
  const [sums] = facts.totals
  if (!sums) throw new Error('a row of sums is always there')
  const { hidden, dismissed } = choicesOf(facts.choices)
  return {
    totales: totalsView(sums),
    nodos: facts.nodes.map((node) => nodeUse(facts, node, about)),
    puesta_en_marcha: decideSetup(setupFacts(facts, about)).map(({ point, reason, advice }) => ({
      punto: point,
      hecho: reason === null,
      motivo: reason,
      descartado: dismissed.includes(point),
      consejo: advice && wordsIn(advice, language),
    })),
    puesta_en_marcha_oculta: hidden,
    correo_prueba: testView(facts, language),
    actualizacion: releaseView(knownOf(facts.release[0], about.updatesUrl), about),
    nombres: seen?.map(seenNameView) ?? null,
    cerca_del_limite: { total: sums.near, clientes: facts.uses.sort((a, b) => fullest(b) - fullest(a)) },
    trabajo: {
      pendientes: sums.pending,
      en_curso: sums.running,
      fallidas: sums.failed,
      correos_en_cola: sums.mailsWaiting,
      correos_fallidos: sums.mailsFailed,
      en_marcha: facts.running.map((job) => jobView(job, language)),
      con_fallo: facts.failed.map((job) => jobView(job, language)),
    },
    problemas: troublesView(facts, sums, language),
    actividad: facts.activity.map(auditView),
  }
}

type Sums = SummaryFacts['totals'][number]

const totalsView = ({ clients, suspended, leaving, sites, zones, databases, mirrored }: Sums) => ({
  clientes: { activos: clients - suspended - leaving, suspendidos: suspended, eliminando: leaving },
  sitios: sites,
  zonas: zones,
  bases: databases,
  espejo: mirrored,
})

function nodeUse(facts: SummaryFacts, node: SummaryFacts['nodes'][number], { now, language }: About) {
  const { capacity, services } = node
  return {
    nodo: node.name,
    estado: isAbsent(node.seenAt, now)
      ? ('ausente' as const)
      : services.every(isWell)
        ? ('bien' as const)
        : ('con_fallos' as const),
    visto: wireTime(node.seenAt),
    procesadores: capacity?.processors ?? null,
    carga: capacity?.load ?? null,
    memoria_bytes: capacity?.memoryBytes ?? null,
    memoria_libre_bytes: capacity?.memoryAvailableBytes ?? null,
    disco_bytes: capacity?.diskBytes ?? null,
    disco_libre_bytes: capacity?.diskFreeBytes ?? null,
    copias: copiesView(facts, node.name, now),
    servicios: services
      .filter(({ name, running, advice }) => !NODE_SETTINGS.includes(name) && (!running || advice !== null))
      .map(({ name, running, version, advice }) => ({
        servicio: name,
        estado: running ? ('activo' as const) : ('parado' as const),
        version,
        consejo: advice && wordsIn(advice, language),
      })),
  }
}

/** How old the last good copies are; null where copies go nowhere. */
function copiesView({ destinations, copies }: SummaryFacts, name: string, now: Date) {
  const destination = destinations.find(({ node }) => node === name)
  if (!destination) return null
  const oldest = copies.find(({ node }) => node === name)
  const since = [destination.copiedAt ?? destination.checkedAt, ...(oldest ? [new Date(oldest.since)] : [])]
  return {
    atrasada: since.some((moment) => isLate(moment, now)),
    nodo: wireTime(destination.copiedAt),
    cliente: oldest ? { cliente: oldest.client, desde: wireTime(new Date(oldest.since)) } : null,
  }
}

function setupFacts(facts: SummaryFacts, { now, selfSigned }: About): SetupFacts {
  const [test] = facts.test
  const copied = new Set(facts.destinations.map(({ node }) => node))
  return {
    nodes: facts.nodes
      .filter(({ seenAt }) => !isAbsent(seenAt, now))
      .map(({ name, services, capacity }) => ({
        services,
        quota: capacity?.quota ?? null,
        copied: copied.has(name),
      })),
    test: test?.state ?? null,
    refused: test !== undefined && test.error !== null,
    sent: facts.sent.length > 0,
    selfSigned,
    plans: facts.plan.length > 0,
    clients: facts.client.length > 0,
    tokens: facts.usedToken.length > 0 ? 'used' : facts.token.length > 0 ? 'unused' : 'none',
  }
}

function testView({ test: [mail] }: SummaryFacts, language: 'es' | 'en'): SummaryView['correo_prueba'] {
  if (!mail) return null
  return {
    para: mail.recipient,
    estado: mail.state === 'enviado' || mail.state === 'fallido' ? mail.state : 'en_cola',
    cuando: wireTime(mail.createdAt),
    error: storedFaultText(mail.error, language),
  }
}

/** The highest share of a limit that a client has used. */
const fullest = ({ consumo }: SummaryFacts['uses'][number]) =>
  Math.max(
    ...[consumo.disco_bytes, consumo.inodos, consumo.trafico_bytes].map(({ porcentaje }) => porcentaje ?? 0),
  )

const troublesView = (
  { certificates, uncertified, mirrors }: SummaryFacts,
  sums: Sums,
  language: 'es' | 'en',
): SummaryView['problemas'] => ({
  certificados: {
    por_caducar: sums.ending,
    con_error: sums.uncertified,
    sitios: [
      ...uncertified.map(({ domain, error }) => ({
        domain,
        caduca: null,
        error: storedFaultText(error, language),
      })),
      ...certificates.map(({ domain, expiresAt }) => ({ domain, caduca: wireTime(expiresAt), error: null })),
    ],
  },
  espejo: {
    total: sums.mirrorTroubles,
    zonas: mirrors.map(({ zone, state }) => ({ zona: zone, estado: state })),
  },
})
