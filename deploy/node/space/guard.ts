import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceState, Step } from '../../../lib/endpoint/node-port.ts'
import { counted, type Words } from '../../../lib/text/words.ts'
import { createReserve, type Lend, PIECES, type Reserve } from './reserve.ts'
import { isFull, type Level, leftIn } from './room.ts'

const MIB = 1_048_576
const QUOTA_MS = 600_000

export type SpaceOptions = {
  /** Where the panel itself writes: its directory, and the database's if that is elsewhere. */
  own: string[]
  /** Where the sites are; null without a web server. */
  base: string | null
  /** Whether the sites' file system enforces the plans' limits. */
  quota(): Promise<boolean>
}

export type Space = ReturnType<typeof createSpace>

/** The room on the file systems that the panel uses: the reserve, and what operators are told. */
export function createSpace(options: SpaceOptions) {
  const { own, base } = options
  let quota = { known: true, at: Number.NEGATIVE_INFINITY }

  /** One directory on each of the file systems. */
  const places = (): string[] => {
    const there = [...own, ...(base === null ? [] : [base])].filter(existsSync)
    return there.filter((path, i) => there.findIndex((one) => deviceOf(one) === deviceOf(path)) === i)
  }

  const full = (): string | null => places().find(isFull) ?? null

  const hasQuota = async (): Promise<boolean> => {
    if (performance.now() - quota.at > QUOTA_MS)
      quota = { known: await options.quota().catch(() => true), at: performance.now() }
    return quota.known
  }

  /** Runs a start, suspension or deletion with the reserve of whichever file system is full. */
  const lend: Lend = (run, mayHelp) =>
    places().reduce((again, path) => () => reserveOn(path).lend(again, mayHelp), run)()

  return {
    /** What the panel's own file system has run out of, when nothing new should be written there. */
    exhausted(): 'disco' | 'inodos' | null {
      const path = own.find((one) => existsSync(one) && isFull(one))
      return path === undefined ? null : leftIn(path).scarce
    },

    hasQuota,

    level: (): Level => {
      const levels = places().map((path) => leftIn(path).level)
      return levels.find((one) => one === 'lleno') ?? levels.find((one) => one !== 'bien') ?? 'bien'
    },

    refill(): void {
      for (const path of places()) reserveOn(path).refill()
    },

    lend,

    /** Steps of an operation that may use the reserve. */
    lending:
      (step: Step, mayHelp?: (error: unknown) => boolean): Step =>
      (name, run) =>
        step(name, () => lend(run, mayHelp)),

    /** As one of the node's services: it runs unless there is no room. */
    async state(): Promise<ServiceState> {
      const told = { name: 'disco', version: null }
      const path = full()
      if (path !== null) return { ...told, running: false, advice: fullWords(path) }
      const scarce = places().find((one) => leftIn(one).level !== 'bien')
      if (scarce !== undefined) return { ...told, running: true, advice: nearlyWords(scarce) }
      const advice = base === null || (await hasQuota()) ? null : noQuotaWords(base)
      return { ...told, running: true, advice }
    },
  }
}

const reserveOn = (path: string): Reserve => createReserve(join(path, 'reserva'))
const deviceOf = (path: string): number => statSync(path).dev

function fullWords(path: string): Words {
  const left = leftIn(path)
  const share = `${Math.round((reserveOn(path).left() / PIECES) * 100)} %`
  const es = left.scarce === 'disco' ? `El disco de ${path} está lleno` : `No quedan inodos en ${path}`
  const en = left.scarce === 'disco' ? `The disk of ${path} is full` : `There are no inodes left in ${path}`
  return {
    es: `${es}: solo se puede entrar, suspender y eliminar. Vacíe la papelera (panel papelera purgar ID), elimine lo que sobre o amplíe el disco. Queda el ${share} de la reserva para ello.`,
    en: `${en}: only signing in, suspending and deleting work. Empty the bin (panel papelera purgar ID), delete what is not needed or enlarge the disk. ${share} of the reserve for that is left.`,
  }
}

function nearlyWords(path: string): Words {
  const left = leftIn(path)
  const size = `${Math.floor(left.bytes / MIB)} MiB`
  const [es, en] =
    left.scarce === 'disco' ? [size, size] : [counted(left.inodes, 'inodo'), counted(left.inodes, 'inode')]
  return {
    es: `Queda poco sitio en ${path}: ${es}. Vacíe la papelera (panel papelera purgar ID) o amplíe el disco.`,
    en: `There is little room left in ${path}: ${en}. Empty the bin (panel papelera purgar ID) or enlarge the disk.`,
  }
}

function noQuotaWords(path: string): Words {
  return {
    es: `El sistema de archivos de ${path} no tiene cuotas: un cliente puede llenarlo. Móntelo con usrquota (ext4, xfs) o use btrfs con cuotas.`,
    en: `The file system of ${path} has no quota: one client can fill it. Mount it with usrquota (ext4, xfs) or use btrfs with quotas.`,
  }
}
