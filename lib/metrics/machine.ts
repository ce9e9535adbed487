import type { Metric } from './exposition.ts'

/** What a node measures of its machine and of the panel's own process when it is asked. */
export type Machine = {
  processors: number
  /** Seconds of all processors since the machine's start; null where the kernel does not say. */
  cpuSeconds: Record<'busy' | 'idle', number> | null
  memoryAvailableBytes: number | null
  /** Free on the file system with the sites; null where there are none. */
  sitesFreeBytes: number | null
  sitesBytes: number | null
  panel: { cpuSeconds: number; memoryBytes: number }
}

export function machineMetrics(machine: Machine): Metric[] {
  const { processors, cpuSeconds, memoryAvailableBytes, sitesBytes, sitesFreeBytes, panel } = machine
  return [
    {
      name: 'controlpanel_machine_cpu_seconds_total',
      help: 'Time of all processors since the start of the machine.',
      type: 'counter',
      samples: Object.entries(cpuSeconds ?? {}).map(([mode, value]) => ({ labels: { mode }, value })),
    },
    gauge('controlpanel_machine_processors', 'Processors of the machine.', processors),
    gauge(
      'controlpanel_machine_memory_available_bytes',
      'Memory that programs can still have.',
      memoryAvailableBytes,
    ),
    gauge('controlpanel_sites_disk_bytes', 'Size of the file system with the sites.', sitesBytes),
    gauge('controlpanel_sites_disk_free_bytes', 'What of it is free.', sitesFreeBytes),
    {
      name: 'process_cpu_seconds_total',
      help: "Processor time of the panel's own program.",
      type: 'counter',
      samples: [{ value: panel.cpuSeconds }],
    },
    gauge('process_resident_memory_bytes', "Memory of the panel's own program.", panel.memoryBytes),
  ]
}

const gauge = (name: string, help: string, value: number | null): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})
