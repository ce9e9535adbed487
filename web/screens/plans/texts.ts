import { inLanguage } from '../../text/language.ts'

const en = {
  chooseAPlan: 'Choose a plan.',
  choose: 'Choose…',
  noPlanNoLimits: 'No plan, no limits',
  noPlanYet: 'There is no plan yet.',
  makeOneFirst: 'Create one first',
  withoutPlanNothingLimited: 'Without a plan nothing is limited.',
  whatNoPlanMeans:
    'The client may fill the disk, take the whole processor and memory, and create any number of sites and zones.',
  functions: 'Features',
  otherLimits: 'Other limits',
  none: 'none',
  limitMissing: 'Type a limit, or choose “No limit”.',
  noLimit: 'No limit',
  restUnlimited: 'No limit for all that is empty',
  oneProcessor: '1 processor',
  processors: (amount: string) => `${amount} processors`,
  bytes: 'bytes',
  planNameHint: 'Billing systems refer to a plan by exactly this name.',
  limitsHint:
    'Fill in each limit or tick “No limit”. Sizes with their unit: 500 MB, 10 GB, 1.5 TB. A GB is 1,000³ bytes, a GiB 1,024³.',
  clientsWithThisPlan: 'Clients with this plan:',
  whatPlansAre: 'A change applies to the clients of a plan at once. ∞ means no limit.',
  newPlan: 'New plan',
  edit: 'Edit',
  noPlansYet: 'No plans yet.',
  noPlansHint: 'A client without a plan has no limits.',
  deleteThePlan: 'Delete the plan?',
  planInUseStays: 'A plan that a client has cannot be deleted.',
}

const es: typeof en = {
  chooseAPlan: 'Elija un plan.',
  choose: 'Elija…',
  noPlanNoLimits: 'Sin plan, sin límites',
  noPlanYet: 'Aún no hay planes.',
  makeOneFirst: 'Cree uno antes',
  withoutPlanNothingLimited: 'Sin plan no hay ningún límite.',
  whatNoPlanMeans:
    'El cliente puede llenar el disco, ocupar todo el procesador y la memoria, y crear sitios y zonas sin fin.',
  functions: 'Funciones',
  otherLimits: 'Otros límites',
  none: 'ninguna',
  limitMissing: 'Escriba un límite o elija «Sin límite».',
  noLimit: 'Sin límite',
  restUnlimited: 'Sin límite en todo lo que está vacío',
  oneProcessor: '1 procesador',
  processors: (amount: string) => `${amount} procesadores`,
  bytes: 'bytes',
  planNameHint: 'Los sistemas de facturación se refieren al plan exactamente con este nombre.',
  limitsHint:
    'Rellene cada límite o marque «Sin límite». Los tamaños llevan su unidad: 500 MB, 10 GB, 1,5 TB. Un GB son 1.000³ bytes; un GiB, 1.024³.',
  clientsWithThisPlan: 'Clientes con este plan:',
  whatPlansAre: 'Un cambio se aplica enseguida a los clientes del plan. ∞ significa sin límite.',
  newPlan: 'Plan nuevo',
  edit: 'Editar',
  noPlansYet: 'Aún no hay planes.',
  noPlansHint: 'Un cliente sin plan no tiene límites.',
  deleteThePlan: '¿Eliminar el plan?',
  planInUseStays: 'Un plan que tiene algún cliente no se puede eliminar.',
}

export const texts = inLanguage({ en, es })
