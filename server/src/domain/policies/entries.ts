/**
 * The place of each entry in its list. Kept as long as the list exists: simulations look hundreds of thousands of values up in the same
 * lists.
 */
const indexes = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** From this many values on, an index saves more than it costs. */
const indexedFrom = 8

/** Finds a value, or one of its names, in a list: the entry that covers it, the first in the list's order. */
export type Covering = (entries: readonly string[], value: string) => string | undefined

/** An entry covers a value that is equal to it. */
export function coveringValue(entries: readonly string[], value: string): string | undefined {
  const index = indexes.get(entries)
  const isListed = index ? index.has(value) : entries.includes(value)
  return isListed ? value : undefined
}

/** An entry covers its domain and everything below it. */
export function coveringDomain(entries: readonly string[], domain: string): string | undefined {
  const host = domain.toLowerCase()
  const index = indexes.get(entries)
  if (!index) return entries.find((entry) => isWithin(host, entry))
  let first: number | undefined
  for (let from = 0; from >= 0; from = nextLabel(host, from)) {
    const at = index.get(host.slice(from))
    if (at !== undefined && (first === undefined || at < first)) first = at
  }
  return first === undefined ? undefined : entries[first]
}

/** Makes lookups in a list cost the same however long it is, where this many values are going to be looked up. */
export function expectLookups(entries: readonly string[], values: number): void {
  if (values < indexedFrom || entries.length < indexedFrom || indexes.has(entries)) return
  const index = new Map<string, number>()
  for (const [at, entry] of entries.entries()) if (!index.has(entry)) index.set(entry, at)
  indexes.set(entries, index)
}

function isWithin(host: string, entry: string): boolean {
  if (!host.endsWith(entry)) return false
  return host.length === entry.length || host[host.length - entry.length - 1] === '.'
}

function nextLabel(host: string, from: number): number {
  const dot = host.indexOf('.', from)
  return dot < 0 ? -1 : dot + 1
}
