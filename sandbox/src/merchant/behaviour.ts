import { type Fields, isObject } from '../fields.ts'

const behaviours = [
  'ok',
  'rejected',
  'rejected_once',
  'rejected_twice',
  'silent',
  'late',
  'double',
  'wrong_signature',
  'wrong_event',
  'out_of_stock',
  'price_up_3',
  'price_up_20',
  'slow',
  'error_then_ok',
  'destination_down',
  'other_merchant',
] as const

export type Behaviour = (typeof behaviours)[number]

/** The items decide how this merchant behaves: the first line whose item has the name of a behavior. */
export function behaviourOf(target: Fields): Behaviour {
  for (const line of linesOf(target)) {
    for (const name of [lastSegment(line.url), line.handle, lastSegment(line.item_url), line.item_handle]) {
      const found = behaviours.find((behaviour) => behaviour === name)
      if (found !== undefined) return found
    }
  }
  return 'ok'
}

/** The requested item as the buyer named it. A repeated request names the same. */
export function askedUrl(target: Fields): string | undefined {
  const url = linesOf(target)[0]?.url
  return typeof url === 'string' ? url : undefined
}

/** An order lists `line_items`, a quote `items`. */
export function linesOf(target: Fields): Fields[] {
  const lines = target.line_items ?? target.items
  return Array.isArray(lines) ? lines.filter(isObject) : []
}

function lastSegment(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  return new URL(url).pathname.split('/').findLast((segment) => segment !== '')
}
