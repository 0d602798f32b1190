import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Id } from '../core/id.ts'
import type { CallContext, Mode, Tenant } from './context.ts'
import { defineOperation, type Operation, type OperationFacts, reply } from './operation.ts'
import { containsPattern, instantOf, type PageRequest, pageOf, readList, totalCap } from './page.ts'
import { Problem } from './problem.ts'
import { Closed, ListOf, Page } from './schemas.ts'
import type { Statement } from './statement.ts'

type Whose = { account_id: Id<'acct'>; mode: Mode }

type Facts = Pick<OperationFacts, 'id' | 'path' | 'scope' | 'tag' | 'summary'> &
  Partial<Pick<OperationFacts, 'description' | 'forBound' | 'surfaces'>>

/** Reads one object of the tenant by its id, which is the last parameter of the path. Where there is none, that parameter is not found. */
export function getOperation<Row, P extends TProperties, Body extends TSchema>({
  params,
  shows,
  row,
  render,
  ...facts
}: Facts & {
  readonly params: P
  readonly shows: Body
  row(key: Whose & { id: string }, path: Static<TObject<P>>, ctx: CallContext): Statement<Row>
  render(row: Row, ctx: CallContext): Static<NoInfer<Body>>
}): Operation {
  const param = facts.path.match(/\{([a-z_]+)\}$/)?.[1]
  if (param === undefined) throw new Error(`${facts.path} does not end with the id of an object`)
  return defineOperation({
    ...facts,
    method: 'GET',
    auth: 'secret',
    params: Closed(params),
    responses: { 200: shows },
    problems: ['not_found'],
    async handle(ctx, { path }) {
      const id = String(new Map(Object.entries(path)).get(param))
      const found = await ctx.reads.maybe(row({ ...whose(ctx.tenant), id }, path, ctx))
      if (!found) throw new Problem('not_found', { param })
      return reply(200, render(found, ctx))
    },
  })
}

/** The value of each filter; null: the caller set none, and everything is in the list. */
type FilterValues<F extends TProperties> = { [Name in keyof F]: Static<F[Name]> | null }

/**
 * Reads a page of the tenant's objects, and how many there are. Each filter is a parameter of both statements: `q` as the pattern that finds
 * it anywhere, a time in a form that the database accepts. `more` are parameters that come from elsewhere than the query.
 */
export function listOperation<
  Row,
  Item extends TSchema,
  F extends TProperties = Record<never, never>,
  More extends object = Record<never, never>,
>({
  filters,
  limits = [50, 200],
  lists: [item, name],
  more,
  rows,
  count,
  render,
  ...facts
}: Facts & {
  readonly filters?: F
  /** The limit of a page unless the caller says one, and the highest. */
  readonly limits?: readonly [number, number]
  /** What is in the list, and the name of the list in the document. */
  readonly lists: readonly [Item, string]
  readonly more?: (ctx: CallContext) => More
  rows(of: Whose & PageRequest & NoInfer<FilterValues<F>> & NoInfer<More>): Statement<Row>
  count(
    of: Whose & { cap: number } & NoInfer<FilterValues<F>> & NoInfer<More>,
  ): Statement<{ counted: number }>
  render(row: Row, ctx: CallContext): Static<NoInfer<Item>>
}): Operation {
  const names = Object.entries<TSchema>(filters ?? {})
  // As any schema: `render` is held to the item's.
  const list: TSchema = ListOf(item, name)
  return defineOperation({
    ...facts,
    method: 'GET',
    auth: 'secret',
    query: Closed({ ...filters, ...Page(...limits) }),
    responses: { 200: list },
    async handle(ctx, { query }) {
      const page = pageOf(query, limits[0])
      const given = new Map<string, unknown>(Object.entries(query))
      const values = Object.fromEntries(
        names.map(([filter, schema]) => [filter, filterValue(filter, schema, given.get(filter))]),
      ) as FilterValues<F> // the query was validated against these filters
      const of = { ...whose(ctx.tenant), ...values, ...(more?.(ctx) as More) }
      const read = await readList(ctx.reads, {
        page,
        rows: rows({ ...of, ...page }),
        count: count({ ...of, cap: totalCap }),
        render: (row) => render(row, ctx),
      })
      return reply(200, read)
    },
  })
}

function filterValue(name: string, schema: TSchema, given: unknown): unknown {
  if (typeof given !== 'string') return given ?? ('default' in schema ? schema.default : null)
  if (name === 'q') return containsPattern(given)
  return 'format' in schema && schema.format === 'date-time' ? instantOf(given) : given
}

function whose({ accountId: account_id, mode }: Tenant): Whose {
  return { account_id, mode }
}
