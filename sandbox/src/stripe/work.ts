import { randomBytes } from 'node:crypto'
import type { Call } from '../json-server.ts'
import type { Account } from './accounts.ts'
import type { Form } from './form.ts'
import type { Fact, Memory } from './memory.ts'

/** A request as it is worked on: nothing changes before its facts are committed, together. */
export type Asked = {
  readonly form: Form
  readonly call: Call
  readonly memory: Memory
  readonly account: Account
  /** By the clock of the simulator. */
  readonly nowMs: number
  /** The fields that are answered as whole objects. */
  readonly expands: ReadonlySet<string>
  /** Where a person of the simulator opens its pages. */
  readonly pagesUrl: string
}

/** What an object is shown by: to who asks, or in an event. */
export type Shown = Pick<Asked, 'memory' | 'account' | 'expands' | 'pagesUrl'>

/** What a request does: the answer, and the facts that it makes. */
export type Done = { readonly body: object; readonly facts?: readonly Fact[]; readonly status?: number }

export type Work = (asked: Asked) => Done

/** Operations of one kind of objects. `operation` is the name by which faults are injected. */
export type Operations = readonly {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly operation: string
  /** The key that stands in pages may ask for it too: its work checks the client secret. */
  readonly isForPages?: true
  readonly work: Work
}[]

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** A list as Stripe pages it: newest first, from after `starting_after` on, or up to just before `ending_before`. */
export function page<Item extends { id: string; created_ms: number }>(
  { form, call }: Asked,
  all: Iterable<Item>,
  render: (item: Item) => object,
): object {
  const limit = Math.min(100, Math.max(1, form.number('limit') ?? 10))
  const [after, upTo] = [form.text('starting_after'), form.text('ending_before')]
  const since = form.number('created[gte]') ?? 0
  const until = form.number('created[lte]') ?? Number.POSITIVE_INFINITY
  const before = form.number('created[lt]') ?? Number.POSITIVE_INFINITY
  const items = [...all]
    .filter(({ created_ms }) => {
      const created = seconds(created_ms)
      return created >= since && created <= until && created < before
    })
    .reverse()
  const placeOf = (named: string) => items.findIndex(({ id }) => id === named)
  const end = upTo === null ? items.length : Math.max(0, placeOf(upTo))
  const first = upTo === null ? 0 : Math.max(0, end - limit)
  const from = after === null ? first : placeOf(after) + 1
  const to = Math.min(end, from + limit)
  return {
    object: 'list',
    url: call.path,
    // In the direction in which the list is read.
    has_more: upTo === null ? items.length > to : from > 0,
    data: items.slice(from, to).map(render),
  }
}
