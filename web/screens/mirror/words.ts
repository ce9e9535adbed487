import { t } from '../../i18n/language.ts'
import { mirrorReason } from '../../i18n/states.ts'

/** Why a mirror is in its state, in words; a reason that is not known here is shown as it came. */
export function reasonWords(reason: string): string {
  const names: Record<string, string> = {
    ausente_en_proveedor: t(
      'The provider does not hold the zone any more.',
      'El proveedor ya no tiene la zona.',
    ),
    cuota_de_zonas: t('The account has no room for another zone.', 'La cuenta no admite más zonas.'),
    no_converge: t('The provider keeps showing something else.', 'El proveedor sigue mostrando otra cosa.'),
    no_verificable: t('The resolvers gave no clear answer.', 'Los resolvers no dieron una respuesta clara.'),
    origen_ausente: t('Our own zone could not be read.', 'No se pudo leer la zona propia.'),
    origen_vacio: t(
      'Our own zone is empty; nothing is deleted for that.',
      'La zona propia está vacía; por eso no se borra nada.',
    ),
    sustituida: t('Somebody put another zone in its place.', 'Alguien puso otra zona en su lugar.'),
    ya_existe: t(
      'The provider holds a zone of that name that is not ours.',
      'El proveedor tiene una zona con ese nombre que no es nuestra.',
    ),
    zona_eliminada: t('The zone was deleted here.', 'La zona se eliminó aquí.'),
    no_concluyente: t('No clear answer.', 'Sin respuesta clara.'),
  }
  return names[reason] ?? mirrorReason(reason)
}

/** Why a record is not in the copy as it is here. */
export function omissionWords(reason: string): string {
  const names: Record<string, string> = {
    ttl_ajustado: t('its TTL was raised or lowered', 'se ajustó su TTL'),
    tipo_no_admitido: t('the provider does not take this type', 'el proveedor no admite este tipo'),
    valor_no_admitido: t('the provider does not take this value', 'el proveedor no admite este valor'),
    demasiados_registros: t('too many records', 'demasiados registros'),
    registro_rechazado: t('the provider refused it', 'el proveedor lo rechazó'),
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

/** The providers that the API takes, with what to enter; a test holds the list against the drivers. */
export function providerKinds(): ProviderKind[] {
  const token = t('API token', 'Token de API')
  return [
    {
      kind: 'cloudflare',
      name: 'Cloudflare',
      ownUrl: false,
      credential: token,
      scope: t('Zone: edit, and DNS: edit, of one account.', 'Zone: edit y DNS: edit, de una sola cuenta.'),
    },
    {
      kind: 'desec',
      name: 'deSEC',
      ownUrl: false,
      credential: token,
      scope: t('A token that may create and delete domains.', 'Un token que pueda crear y borrar dominios.'),
    },
    {
      kind: 'hetzner',
      name: 'Hetzner DNS',
      ownUrl: false,
      credential: token,
      scope: t('A token of a project for DNS alone.', 'Un token de un proyecto dedicado solo a DNS.'),
    },
    {
      kind: 'powerdns',
      name: 'PowerDNS',
      ownUrl: true,
      credential: t('API key', 'Clave de API'),
      scope: t('The key may do everything on that server.', 'La clave puede hacerlo todo en ese servidor.'),
    },
  ]
}

export const providerName = (kind: string): string =>
  providerKinds().find((one) => one.kind === kind)?.name ?? kind
