import type { SourceSearch, UcpCatalog } from './port.ts'

/**
 * The catalogs that fit a search best: first by what is known of the merchant (its country, what it sells, its name), then in the order
 * of the registry.
 */
export function chooseSources(
  catalogs: readonly UcpCatalog[],
  search: SourceSearch,
  sourcesMax: number,
): UcpCatalog[] {
  const wanted = new Set([search.query ?? '', ...(search.filters?.categories ?? [])].flatMap(wordsOf))
  const country = search.context?.country
  return catalogs
    .map((catalog, place) => ({ catalog, place, fit: fitOf(catalog, wanted, country) }))
    .sort((a, b) => b.fit - a.fit || a.place - b.place)
    .slice(0, sourcesMax)
    .map(({ catalog }) => catalog)
}

function fitOf(
  { merchant, categories }: UcpCatalog,
  wanted: ReadonlySet<string>,
  country: string | undefined,
): number {
  const names = wordsOf(`${merchant.name ?? ''} ${merchant.domain}`)
  const sells = categories.flatMap(wordsOf)
  const has = (words: readonly string[]) => words.some((word) => wanted.has(word))
  return (
    (has(names) ? 4 : 0) +
    (has(sells) ? 2 : 0) +
    (country !== undefined && merchant.country === country ? 1 : 0)
  )
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? []
}
