import { inLanguage } from '../../text/language.ts'

const en = {
  space: 'Space',
  trafficThisMonth: 'Traffic this month',
  sumsOfFirst: 'Sums of the first',
  clients: 'clients',
  allServicesRun: 'All services run.',
  noJobHasFailed: 'No job has failed.',
  seeAndRetry: 'See and retry',
  certificates: 'Certificates',
  noneOfTheFirst: 'None of the first',
  endsSoon: 'ends soon.',
  noneEndsSoon: 'None ends soon.',
  siteOnlySelfSigned: 'site has only a self-signed one',
  sitesOnlySelfSigned: 'sites have only a self-signed one',
  dnsMirror: 'DNS mirror',
  noZoneIsMirrored: 'No zone is mirrored.',
  upToDate: 'up to date',
  clientsNearALimit: 'Clients near a limit',
  noClientNearLimit: 'Nobody is.',
  yourAccountIsSuspended: 'Your account is suspended',
  noReasonWasGiven: 'No reason was given.',
  since: 'Since',
  whatSuspendedMeans:
    'Your sites answer that they are not available. Nothing was deleted, and your DNS keeps working, mail records included. Your provider can end the suspension.',
  yourPlan: 'Your plan',
  noPlanNoLimits: 'No plan: no limits.',
}

const es: typeof en = {
  space: 'Espacio',
  trafficThisMonth: 'Tráfico del mes',
  sumsOfFirst: 'Sumas de los primeros',
  clients: 'clientes',
  allServicesRun: 'Todos los servicios funcionan.',
  noJobHasFailed: 'No ha fallado ninguna tarea.',
  seeAndRetry: 'Ver y reintentar',
  certificates: 'Certificados',
  noneOfTheFirst: 'Ninguno de los primeros',
  endsSoon: 'caduca pronto.',
  noneEndsSoon: 'Ninguno caduca pronto.',
  siteOnlySelfSigned: 'sitio solo tiene uno autofirmado',
  sitesOnlySelfSigned: 'sitios solo tienen uno autofirmado',
  dnsMirror: 'Espejo DNS',
  noZoneIsMirrored: 'Ninguna zona está en espejo.',
  upToDate: 'al día',
  clientsNearALimit: 'Clientes cerca de un límite',
  noClientNearLimit: 'Ninguno.',
  yourAccountIsSuspended: 'Su cuenta está suspendida',
  noReasonWasGiven: 'No se indicó ningún motivo.',
  since: 'Desde el',
  whatSuspendedMeans:
    'Sus sitios responden que no están disponibles; no se ha borrado nada, y su DNS sigue, también los registros de correo. Su proveedor puede levantar la suspensión.',
  yourPlan: 'Su plan',
  noPlanNoLimits: 'Sin plan: sin límites.',
}

export const texts = inLanguage({ en, es })
