import { common } from '../../text/common.ts'
import { mirrorReason } from '../../text/states.ts'
import { texts } from './texts.ts'

/** Why a mirror is in its state, in words; a reason that is not known here is shown as it came. */
export function reasonWords(reason: string): string {
  const names: Record<string, string> = {
    ausente_en_proveedor: texts.providerLostZone,
    cuota_de_zonas: texts.accountIsFull,
    no_converge: texts.providerDiffers,
    no_verificable: texts.resolversUnclear,
    origen_ausente: texts.ownZoneUnreadable,
    origen_vacio: texts.ownZoneEmpty,
    sustituida: texts.zoneReplaced,
    ya_existe: texts.providerHasSuchZone,
    zona_eliminada: texts.zoneDeletedHere,
    no_concluyente: texts.noClearAnswer,
  }
  return names[reason] ?? mirrorReason(reason)
}

/** Why a record is not in the copy as it is here. */
export function omissionWords(reason: string): string {
  const names: Record<string, string> = {
    ttl_ajustado: texts.ttlAdjusted,
    tipo_no_admitido: texts.typeNotTaken,
    valor_no_admitido: texts.valueNotTaken,
    demasiados_registros: texts.tooManyRecords,
    registro_rechazado: texts.recordRefused,
  }
  return names[reason] ?? reason
}

export type ProviderKind = {
  kind: string
  name: string
  /** Its API is wherever the admin runs it. */
  ownUrl: boolean
  credential: string
  scope: string
}

/** The providers that the API takes, with what to enter; `test/browser/mirror.test.ts` compares the list with the drivers. */
export function providerKinds(): ProviderKind[] {
  const token = common.apiToken
  return [
    {
      kind: 'cloudflare',
      name: 'Cloudflare',
      ownUrl: false,
      credential: token,
      scope: texts.scopeOfCloudflare,
    },
    {
      kind: 'desec',
      name: 'deSEC',
      ownUrl: false,
      credential: token,
      scope: texts.scopeOfDesec,
    },
    {
      kind: 'hetzner',
      name: 'Hetzner DNS',
      ownUrl: false,
      credential: token,
      scope: texts.scopeOfHetzner,
    },
    {
      kind: 'powerdns',
      name: 'PowerDNS',
      ownUrl: true,
      credential: texts.apiKey,
      scope: texts.scopeOfPowerdns,
    },
  ]
}

export const providerName = (kind: string): string =>
  providerKinds().find((one) => one.kind === kind)?.name ?? kind
