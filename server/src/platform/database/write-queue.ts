import type { Statement } from '../../contract/statement.ts'

type Queued = { readonly statement: Statement<unknown>; readonly replaces: string | undefined }

/** The writes of a transaction that are still to be sent, in their order. */
export class WriteQueue {
  #queued: Queued[] = []

  /** `replaces`: of several writes of that name only the last is sent, in the place of the first. */
  add(statement: Statement<unknown>, replaces: string | undefined): void {
    const earlier =
      replaces === undefined ? -1 : this.#queued.findIndex((write) => write.replaces === replaces)
    if (earlier === -1) this.#queued.push({ statement, replaces })
    else this.#queued[earlier] = { statement, replaces }
  }

  has(name: string): boolean {
    return this.#queued.some(({ replaces }) => replaces === name)
  }

  /** Whether one of them changes a table that the statement names. */
  concerns({ text }: Statement<unknown>): boolean {
    return this.#queued.some(({ statement }) => namesOfWritten(statement).some((name) => name.test(text)))
  }

  /** They are the caller's to send. */
  take(): Statement<unknown>[] {
    const taken = this.#queued.map(({ statement }) => statement)
    this.#queued = []
    return taken
  }
}

const named = new Map<string, readonly RegExp[]>()

function namesOfWritten({ name, text }: Statement<unknown>): readonly RegExp[] {
  const known = named.get(name)
  if (known) return known
  const found = text.matchAll(/(?:\binsert into|(?<!\b(?:for|key|do) )\bupdate|\bdelete from)\s+([a-z_.]+)/g)
  const names = Array.from(found, ([, table]) => new RegExp(`\\b${table}\\b`))
  if (name !== '') named.set(name, names)
  return names
}
