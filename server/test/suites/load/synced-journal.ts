import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** The requests of a driver and the answers that it got. They are on disk before anything follows from them. */
export type JournalLine =
  /** Written before the first sending. */
  | { kind: 'asked'; at: string; name: string; deed: Deed; wish: number; target: string | null }
  /** The service's answer. Twins have an answer each. */
  | {
      kind: 'answered'
      at: string
      name: string
      deed: Deed
      wish: number
      status: number
      id: string | null
      code: string | null
      tries: number
      told: Told | null
      /** What a refusal without a code says. */
      why?: string
    }
  | { kind: 'unanswered'; at: string; name: string; deed: Deed; wish: number; tries: number; why: string }

export type Deed =
  | 'profile'
  | 'create'
  | 'approve'
  | 'cancel'
  | 'quote'
  | 'accept'
  | 'fulfill'
  | 'refund'
  | 'reprice'
  | 'retry'
  | 'checkout'
  | 'token'
  | 'complete'

/** The facts in the answer that must still hold in the end, under names of the deed's own. */
export type Told = Readonly<Record<string, string | number | null>>

export type SyncedJournal = {
  /** Resolves when the line is on disk. */
  append(line: JournalLine): Promise<void>
  close(): Promise<void>
}

/** An append-only file of JSON lines; lines that come while the disk is busy share the next fsync. */
export async function openSyncedJournal(path: string): Promise<SyncedJournal> {
  const file = await open(path, 'a', 0o600)
  let waiting: { text: string; written: PromiseWithResolvers<void> }[] = []
  let flushing: Promise<void> | null = null

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await file.appendFile(batch.map(({ text }) => text).join(''))
        await file.datasync()
        for (const { written } of batch) written.resolve()
      } catch (error) {
        for (const { written } of batch) written.reject(error)
      }
    }
    flushing = null
  }

  return {
    append(line) {
      const written = Promise.withResolvers<void>()
      waiting.push({ text: `${JSON.stringify(line)}\n`, written })
      flushing ??= flush()
      return written.promise
    },
    async close() {
      await flushing
      await file.close()
    },
  }
}

/** Every whole line; the last one may have been torn by a kill, and then nothing followed from it. */
export function readJournal(path: string): JournalLine[] {
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line) as JournalLine) // written by `append`
}
