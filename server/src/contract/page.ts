import type { Reads } from './context.ts'
import type { Statement } from './statement.ts'

/** The parameters of a list statement; `total` is counted to one past the cap. */
export type PageRequest = { readonly limit: number; readonly offset: number }

export const totalCap = 10_000

/** The limit of lists for which the interface names none: everything an account may hold. */
export const objectsPerAccountMax = 1000

export function pageOf(query: { limit?: number; offset?: number }, limitDefault: number): PageRequest {
  return { limit: query.limit ?? limitDefault, offset: query.offset ?? 0 }
}

/** Renders a page. `rows` were read with `limit + 1`: the extra row says that more follow. */
export function renderList<Row, T>(
  rows: readonly Row[],
  counted: number,
  page: PageRequest,
  render: (row: Row) => T,
) {
  return {
    object: 'list' as const,
    data: rows.slice(0, page.limit).map(render),
    total: Math.min(counted, totalCap),
    ...(counted > totalCap ? { total_capped: true as const } : {}),
    limit: page.limit,
    offset: page.offset,
    has_more: rows.length > page.limit,
  }
}

/** Reads a page and the total number at once, and renders it. `rows` are read with `limit + 1`. */
export async function readList<Row, T>(
  reads: Reads,
  list: {
    page: PageRequest
    rows: Statement<Row>
    count: Statement<{ counted: number }>
    render: (row: Row) => T
  },
) {
  const [rows, count] = await Promise.all([reads.rows(list.rows), reads.maybe(list.count)])
  return renderList(rows, count?.counted ?? 0, list.page, list.render)
}

/** A time of a filter in a form that the database accepts: PostgreSQL refuses offsets of sixteen hours and more, which RFC 3339 has. */
export function instantOf(written: string | undefined): string | null {
  return written === undefined ? null : new Date(written).toISOString()
}

/** It sorts after every text with the same beginning. */
const lastOfAll = '\u{10ffff}'

/** The range, in an order by bytes, of lower-case texts that begin with this one. */
export function startingWith(q: string): { starts_from: string; starts_before: string } {
  const text = q.toLowerCase()
  return { starts_from: text, starts_before: `${text}${lastOfAll}` }
}

/** The `like` pattern that finds a text anywhere in a lower-case search column. */
export function containsPattern(q: string | undefined): string | null {
  return q === undefined ? null : `%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
}
