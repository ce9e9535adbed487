import { inLanguage } from '../../text/language.ts'

const en = {
  title: 'Needs attention',
  button: (count: number) => (count === 0 ? 'Nothing needs attention' : `Needs attention: ${count}`),
  nothing: 'Nothing needs attention.',
  nodeIs: (node: string, state: string) => `Node ${node}: ${state}`,
  copiesLate: (node: string) => `Backups on ${node} are late`,
  diskFull: (node: string, share: string) => `The disk of ${node} is ${share} full`,
  failedJobs: (count: string) => (count === '1' ? '1 job failed' : `${count} jobs failed`),
  failedMails: (count: string) =>
    count === '1' ? '1 mail was not delivered' : `${count} mails were not delivered`,
  certificatesFailed: (count: string) =>
    count === '1' ? '1 site gets no certificate' : `${count} sites get no certificate`,
  certificatesEnd: (count: string) =>
    count === '1' ? '1 certificate expires soon' : `${count} certificates expire soon`,
  mirrors: (count: string) =>
    count === '1' ? '1 mirrored zone has a problem' : `${count} mirrored zones have a problem`,
  nearLimits: (count: string) =>
    count === '1' ? '1 client is near a limit' : `${count} clients are near a limit`,
}

const es: typeof en = {
  title: 'Requiere atención',
  button: (count) => (count === 0 ? 'Nada requiere atención' : `Requiere atención: ${count}`),
  nothing: 'Nada requiere atención.',
  nodeIs: (node, state) => `Nodo ${node}: ${state}`,
  copiesLate: (node) => `Las copias de ${node} van con retraso`,
  diskFull: (node, share) => `El disco de ${node} está al ${share}`,
  failedJobs: (count) => (count === '1' ? '1 tarea fallida' : `${count} tareas fallidas`),
  failedMails: (count) => (count === '1' ? '1 correo sin entregar' : `${count} correos sin entregar`),
  certificatesFailed: (count) =>
    count === '1' ? '1 sitio no consigue certificado' : `${count} sitios no consiguen certificado`,
  certificatesEnd: (count) =>
    count === '1' ? '1 certificado caduca pronto' : `${count} certificados caducan pronto`,
  mirrors: (count) =>
    count === '1' ? '1 zona espejada tiene un problema' : `${count} zonas espejadas tienen un problema`,
  nearLimits: (count) =>
    count === '1' ? '1 cliente está cerca de un límite' : `${count} clientes están cerca de un límite`,
}

export const texts = inLanguage({ en, es })
