import { comparableUrl } from '../../../schema/formats.ts'

/** A product that may be on the page. */
export type Candidate<T> = { readonly product: T; readonly url: string | null; readonly price: number }

/** What one source has for the page, in its order, from the first that no page before has shown. */
type Queue<T> = {
  readonly id: string
  /** Its place among the sources of the search, which stays when others have ended. */
  readonly rank: number
  readonly candidates: readonly Candidate<T>[]
  readonly from: number
}

type MergeInput<Own, Theirs> = {
  readonly published: readonly Candidate<Own>[]
  /** The sources, the best first. */
  readonly queues: readonly Queue<Theirs>[]
  readonly sort: 'relevance' | 'price_asc' | 'price_desc'
  readonly turn: NextSource
  readonly limit: number
}

/** Who is next by relevance: a published product or one of a source, and from which rank on. */
export type NextSource = { readonly isOurs: boolean; readonly source: number }

type Merged<Own, Theirs> = {
  readonly page: readonly (Own | Theirs)[]
  readonly publishedTaken: number
  /** For each source, how many of its candidates are behind us. */
  readonly offsets: ReadonlyMap<string, number>
  readonly turn: NextSource
}

/**
 * One page out of what was found. By relevance, published products and those of sources take turns, and the sources among them, the best
 * first. By price, whichever is next. One address is shown once on it: published goes first, then what came first.
 */
export function mergePage<Own, Theirs>(input: MergeInput<Own, Theirs>): Merged<Own, Theirs> {
  const { published, sort, limit } = input
  const seen = new Set(published.flatMap(keyOf))
  const queues = input.queues.map((queue) => ({ ...queue, at: queue.from }))
  const headOf = (queue: (typeof queues)[number]): Candidate<Theirs> | null => {
    for (; queue.at < queue.candidates.length; queue.at++) {
      const head = queue.candidates[queue.at]
      if (head && !keyOf(head).some((key) => seen.has(key))) return head
    }
    return null
  }
  const page: (Own | Theirs)[] = []
  let publishedTaken = 0
  let turn = input.turn
  while (page.length < limit) {
    const own = published[publishedTaken] ?? null
    const open = queues.flatMap((queue) => {
      const head = headOf(queue)
      return head ? [{ queue, rank: queue.rank, head }] : []
    })
    const theirs = sort === 'relevance' ? nextInTurn(open, turn.source) : cheapest(open, sort)
    if (own && (!theirs || (sort === 'relevance' ? turn.isOurs : !isBefore(theirs.head, own, sort)))) {
      page.push(own.product)
      publishedTaken += 1
      turn = { ...turn, isOurs: false }
    } else if (theirs) {
      page.push(theirs.head.product)
      for (const key of keyOf(theirs.head)) seen.add(key)
      theirs.queue.at += 1
      turn = { isOurs: true, source: theirs.rank + 1 }
    } else break
  }
  for (const queue of queues) headOf(queue)
  return { page, publishedTaken, offsets: new Map(queues.map(({ id, at }) => [id, at])), turn }
}

type Open<T> = { readonly rank: number; readonly head: Candidate<T> }

function nextInTurn<T, One extends Open<T>>(open: readonly One[], turn: number): One | null {
  return open.find(({ rank }) => rank >= turn) ?? open[0] ?? null
}

function cheapest<T, One extends Open<T>>(
  open: readonly One[],
  sort: 'price_asc' | 'price_desc',
): One | null {
  return open.reduce<One | null>(
    (best, one) => (best === null || isBefore(one.head, best.head, sort) ? one : best),
    null,
  )
}

function isBefore(
  one: { readonly price: number },
  other: { readonly price: number },
  sort: MergeInput<unknown, unknown>['sort'],
): boolean {
  return sort === 'price_desc' ? one.price > other.price : one.price < other.price
}

function keyOf({ url }: { readonly url: string | null }): string[] {
  return url === null ? [] : [comparableUrl(url)]
}
