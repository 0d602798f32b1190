import { readFileSync } from 'node:fs'
import { arch, cpus, platform, release, totalmem } from 'node:os'

export type Machine = { cpu: string; cores: number; memory_gb: number; system: string }

export function describeMachine(): Machine {
  const processors = cpus()
  return {
    cpu: processors[0]?.model.trim() || arch(),
    cores: processors.length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
  }
}

/** The number of processes that wait for a core, beside those of the bench; null where the system does not report it. */
export function loadNow(): number | null {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0])
  } catch {
    return null
  }
}
