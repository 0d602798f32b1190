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
    spent[group] = sum(pids.map((pid) => spentBy(group, pid)))
  }
  return spent
}

function spentBy(group: ProcessGroup, pid: number): number {
  if (group === 'postgres') return spentByServer(pid)
  if (group === 'browser') return spentByTree(pid)
  return linuxProcesses.spentBy(pid)?.own ?? 0
}

/** A process with all that descend from it, those included that have ended since: each is added to its parent. */
export function spentByTree(root: number, processes: ProcessTable = linuxProcesses): number {
  for (;;) {
    const living = treeOf(root, processes)
    const spent = [...living].map((pid) => processes.spentBy(pid))
    // Who ends while this reads would be counted twice, or never.
    if (spent.every((one) => one !== null)) {
      const still = treeOf(root, processes)
      if ([...living].every((pid) => still.has(pid)))
        return sum(spent.map((one) => (one === null ? 0 : one.own + one.ended)))
    } else if (processes.spentBy(root) === null) return 0
  }
}

/**
 * The memory in MB of all that descend from a process, without its own. `peak`: what they share counts once, as the system divides it;
 * not a number where only root may know. `resident`: it counts in each.
 */
export function memoryOfTree(root: number): { peak: number; resident: number } {
  const all = [...treeOf(root, linuxProcesses)].filter((pid) => pid !== root).map(memoryOf)
  return {
    peak: sum(all.map(({ shared }) => shared)) / 1024,
    resident: sum(all.map(({ resident }) => resident)) / 1024,
  }
}

/** In kB. A process that has just ended has none. */
function memoryOf(pid: number): { shared: number; resident: number } {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const of = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1])
    return { shared: of('Pss'), resident: of('Rss') }
  } catch (error) {
    const isClosed = error instanceof Error && 'code' in error && error.code === 'EACCES'
    return isClosed ? { shared: Number.NaN, resident: Number.NaN } : { shared: 0, resident: 0 }
  }
}

function treeOf(root: number, processes: ProcessTable): Set<number> {
  const parents = new Map(
    processes.pids().flatMap((pid) => {
      const spent = processes.spentBy(pid)
      return spent === null ? [] : [[pid, spent.parent] as const]
    }),
  )
  const found = new Set(parents.has(root) ? [root] : [])
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return found
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
