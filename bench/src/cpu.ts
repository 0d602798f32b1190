import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { ProcessGroup } from './benchmark.ts'

// Linux reports hundredths of a second to all programs, with any tick of the kernel.
const msPerTick = 10

/** CPU in milliseconds: of the process itself, and of those of its children that have ended. */
type Spent = { parent: number; own: number; ended: number }

/** The processes of the machine. A process that is gone has spent nothing that could be read. */
export type ProcessTable = { pids(): number[]; spentBy(pid: number): Spent | null }

/** CPU in milliseconds that each group has spent so far; null where there is no /proc. */
export function cpuOf(
  groups: Partial<Record<ProcessGroup, readonly number[]>>,
): Partial<Record<ProcessGroup, number>> | null {
  if (!existsSync('/proc/self/stat')) return null
  const spent: Partial<Record<ProcessGroup, number>> = {}
  for (const [group, pids] of Object.entries(groups) as [ProcessGroup, readonly number[]][]) {
    spent[group] =
      group === 'postgres'
        ? sum(pids.map((pid) => spentByServer(pid)))
        : sum(pids.map((pid) => linuxProcesses.spentBy(pid)?.own ?? 0))
  }
  return spent
}

/**
 * A postmaster with its children, those included that have ended since: Linux adds them to their parent. A child that ends while this
 * reads would be counted with both or with neither. So it reads again until none has ended meanwhile.
 */
export function spentByServer(postmaster: number, processes: ProcessTable = linuxProcesses): number {
  for (;;) {
    const children = childrenOf(postmaster, processes)
    const server = processes.spentBy(postmaster)
    if (server === null) return 0
    const still = childrenOf(postmaster, processes)
    if ([...children.keys()].every((pid) => still.has(pid)))
      return server.own + server.ended + sum([...children.values()])
  }
}

/** The CPU of each child. One that has ended, and that its parent does not know to have ended, is still a child. */
function childrenOf(parent: number, processes: ProcessTable): Map<number, number> {
  return new Map(
    processes.pids().flatMap((pid) => {
      const spent = processes.spentBy(pid)
      return spent?.parent === parent ? [[pid, spent.own] as const] : []
    }),
  )
}

const linuxProcesses: ProcessTable = {
  pids: () =>
    readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid)),
  spentBy(pid) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may hold anything; the fields that count begin behind it, with the third.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const at = (field: number) => Number(fields[field - 3])
      return { parent: at(4), own: (at(14) + at(15)) * msPerTick, ended: (at(16) + at(17)) * msPerTick }
    } catch {
      return null
    }
  },
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
