import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { ProcessGroup } from './benchmark.ts'

// Linux counts in hundredths of a second for everybody, whatever its kernel's own tick.
const msPerTick = 10

/** CPU in milliseconds that each group has spent so far; null where there is no /proc. */
export function cpuOf(
  groups: Partial<Record<ProcessGroup, readonly number[]>>,
): Partial<Record<ProcessGroup, number>> | null {
  if (!existsSync('/proc/self/stat')) return null
  const spent: Partial<Record<ProcessGroup, number>> = {}
  for (const [group, pids] of Object.entries(groups) as [ProcessGroup, readonly number[]][]) {
    spent[group] =
      group === 'postgres' ? sum(pids.map(spentByServer)) : sum(pids.map((pid) => spentBy(pid).own))
  }
  return spent
}

/** A postmaster with its children, those included that have ended since: Linux adds them to their parent. */
function spentByServer(postmaster: number): number {
  const { own, ended } = spentBy(postmaster)
  return own + ended + sum(childrenOf(postmaster).map((pid) => spentBy(pid).own))
}

type Spent = { parent: number; own: number; ended: number }

function spentBy(pid: number): Spent {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything; the fields that count begin behind it, with the third.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const at = (field: number) => Number(fields[field - 3])
    return { parent: at(4), own: (at(14) + at(15)) * msPerTick, ended: (at(16) + at(17)) * msPerTick }
  } catch {
    return { parent: 0, own: 0, ended: 0 }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && spentBy(pid).parent === parent)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
