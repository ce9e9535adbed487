import type { ServiceState } from '../../../lib/endpoint/node-port.ts'
import type { Words } from '../../../lib/text/words.ts'
import type { PROTECTIONS } from '../../../schema/states.ts'
import type { ClientGroups } from './use.ts'

type Missing = [(typeof PROTECTIONS)[number], Words][]

type Surroundings = {
  groups: Omit<ClientGroups, 'past'> | null
  root: boolean
  systemd: boolean
  /** Whether ended processes stay in the list, since the first process collects none. */
  uncollected: boolean
}

/**
 * The protections that are missing on this node, one line each with what to do. Under systemd, as in production, a
 * missing one is a fault.
 */
export function missingProtections({ root, systemd, ...rest }: Surroundings): ServiceState[] {
  const missing: Missing = root ? missingForRoot({ systemd, ...rest }) : [['usuarios', NOT_ROOT]]
  return missing.map(([name, advice]) => ({ name, running: !systemd, version: null, advice }))
}

function missingForRoot({ groups, systemd, uncollected }: Omit<Surroundings, 'root'>): Missing {
  const missing: Missing = []
  if (groups === null) missing.push(['grupos_de_control', NO_GROUPS])
  if (groups?.memory === null) missing.push(['limite_de_memoria', NO_MEMORY])
  if (groups?.cpu === null) missing.push(['limite_de_procesador', NO_PROCESSOR])
  if (groups?.pids === null) missing.push(['limite_de_procesos', NO_PROCESSES])
  if (uncollected) missing.push(['procesos_terminados', UNCOLLECTED])
  if (!systemd) missing.push(['systemd', NO_SYSTEMD])
  return missing
}

const NOT_ROOT = {
  es: 'El panel no es root: los archivos de todos los clientes son de su mismo usuario, PHP corre con él o no corre, y ningún límite de procesador, memoria o procesos se cumple. Arránquelo como root',
  en: "The panel is not root: all clients' files belong to its own user, PHP runs as that user or not at all, and no limit of processor, memory or processes is held. Start it as root",
}
const NO_GROUPS = {
  es: 'No hay grupos de control: los límites de procesador, memoria y procesos de los planes no se cumplen. Monte /sys/fs/cgroup con escritura (en un contenedor, arránquelo con sus propios grupos) y reinicie el panel',
  en: "There are no control groups: the plans' limits of processor, memory and processes are not held. Mount /sys/fs/cgroup writable (start a container with groups of its own) and restart the panel",
}
const NO_MEMORY = {
  es: 'El núcleo no limita la memoria de cada cliente. Arránquelo con cgroup_enable=memory y reinicie el panel',
  en: "The kernel does not limit each client's memory. Boot it with cgroup_enable=memory and restart the panel",
}
const NO_PROCESSOR = {
  es: 'El núcleo no reparte el procesador entre los clientes. Use un núcleo con CONFIG_CFS_BANDWIDTH y el controlador cpu, y reinicie el panel',
  en: 'The kernel does not divide the processor among clients. Use a kernel with CONFIG_CFS_BANDWIDTH and the cpu controller, and restart the panel',
}
const NO_PROCESSES = {
  es: 'El núcleo no limita los procesos de cada cliente. Use un núcleo con CONFIG_CGROUP_PIDS y el controlador pids, y reinicie el panel',
  en: "The kernel does not limit each client's processes. Use a kernel with CONFIG_CGROUP_PIDS and the pids controller, and restart the panel",
}
const UNCOLLECTED = {
  es: 'El primer proceso de esta máquina no retira los que terminan, y los de un cliente le siguen contando hasta que no pueda arrancar más. Arranque el contenedor con un init (docker run --init)',
  en: "The first process of this machine does not remove those that have ended, and a client's go on counting for it until it can start no more. Start the container with an init (docker run --init)",
}
const NO_SYSTEMD = {
  es: 'systemd no ha arrancado el panel: nada lo arranca tras reiniciar la máquina, y lo que systemd prohíbe a sus servicios no se cumple. Instálelo con deploy/systemd/install.sh',
  en: 'The panel was not started by systemd: nothing starts it after a reboot, and what systemd forbids its services does not hold. Install it with deploy/systemd/install.sh',
}
