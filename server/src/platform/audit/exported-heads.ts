import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** The end of one chain at one time: enough to show later that the chain was cut or replaced. */
export type ExportedHead = {
  readonly account_id: string
  readonly mode: string
  readonly position: string
  /** The hash of the entry there. It has another name because fields called hash are kept out of logs. */
  readonly head: string
}

/** By chain, hashes by position. */
export type ExportedHeads = ReadonlyMap<string, ReadonlyMap<bigint, string>>

export function chainKey({ account_id, mode }: { account_id: string; mode: string }): string {
  return `${account_id}/${mode}`
}

/** A file that does not hold what it should. */
export class HeadsError extends Error {
  override readonly name = 'HeadsError'
}

/**
 * Reads exported heads: the file of heads, or a worker's log, with other lines in between. Throws `HeadsError` where there is none, or
 * two that contradict each other.
 */
export async function readExportedHeads(path: string): Promise<ExportedHeads> {
  const heads = new Map<string, Map<bigint, string>>()
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  let number = 0
  try {
    for await (const line of lines) {
      number += 1
      for (const head of headsIn(line)) {
        const chain = heads.get(chainKey(head)) ?? new Map<bigint, string>()
        const position = BigInt(head.position)
        const known = chain.get(position)
        if (known !== undefined && known !== head.head) {
          throw new HeadsError(
            `Line ${number} of ${path} has another hash for entry ${position} of ${head.account_id} ${head.mode} than an earlier line: the entry was rewritten in between.`,
          )
        }
        heads.set(chainKey(head), chain.set(position, head.head))
      }
    }
  } catch (error) {
    if (error instanceof HeadsError) throw error
    throw new HeadsError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (heads.size === 0) throw new HeadsError(`${path} holds no exported head.`)
  return heads
}

/** A line that a crash cut off counts as never written. */
function headsIn(line: string): ExportedHead[] {
  if (!line.includes('"audit_heads"')) return []
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return []
  }
  const listed =
    typeof parsed === 'object' && parsed !== null && 'audit_heads' in parsed ? parsed.audit_heads : null
  return Array.isArray(listed) ? listed.filter(isHead) : []
}

function isHead(value: unknown): value is ExportedHead {
  if (typeof value !== 'object' || value === null) return false
  const { account_id, mode, position, head } = value as Partial<Record<keyof ExportedHead, unknown>> // checked below
  return (
    typeof account_id === 'string' &&
    typeof mode === 'string' &&
    typeof position === 'string' &&
    /^\d{1,19}$/.test(position) &&
    typeof head === 'string'
  )
}
