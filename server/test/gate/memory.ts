import { readdirSync, readFileSync } from 'node:fs'

const usualMs = 2_000

/** What the processes of a command need together. Null where the system does not tell it, as beside Linux. */
type Memory = { most(): number | null; stop(): void }

/**
 * Looks again and again at this process and all that it has started, also what has left it since, such as a server. What files hold
 * of the memory is not in it.
 */
export function watchMemory(pid: number, everyMs = usualMs): Memory {
  const known = new Set<string>()
  let most: number | null = null
  function look(): void {
    const megabytes = heldBy(pid, known)
    if (megabytes !== null) most = Math.max(most ?? 0, megabytes)
  }
  look()
  const timer = setInterval(look, everyMs)
  return { most: () => most, stop: () => clearInterval(timer) }
}

type Seen = { pid: string; parent: string; id: string }

/** Adds to `known` the processes that have come since the last look. */
function heldBy(root: number, known: Set<string>): number | null {
  const processes = readProcesses()
  if (processes === null) return null
  const ours = new Set([String(root)])
  for (const { pid, id } of processes) if (known.has(id)) ours.add(pid)
  // A process may stand before its parent in the list.
  for (let before = -1; before < ours.size; ) {
    before = ours.size
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid)
  }
  const running = processes.filter(({ pid }) => ours.has(pid))
  for (const { id } of running) known.add(id)
  return Math.round(running.reduce((sum, { pid }) => sum + kilobytesOf(pid), 0) / 1024)
}

function readProcesses(): Seen[] | null {
  const pids = read(() => readdirSync('/proc'))?.filter((name) => /^\d+$/.test(name))
  if (pids === undefined) return null
  return pids.flatMap((pid) => {
    // The name of the program, in parentheses, may hold anything. Pids are used again, with another time of start.
    const fields = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
      ?.replace(/^.*\) /s, '')
      .split(' ')
    return fields?.[1] === undefined ? [] : [{ pid, parent: fields[1], id: `${pid} ${fields[19]}` }]
  })
}

function kilobytesOf(pid: string): number {
  const status = read(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? ''
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0)
}

/** It may have ended since it was listed. */
function read<T>(reading: () => T): T | undefined {
  try {
    return reading()
  } catch {
    return undefined
  }
}
