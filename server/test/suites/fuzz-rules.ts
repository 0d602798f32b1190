import { randomUUID } from 'node:crypto'
import type { OperationFacts } from '../../src/contract/operation.ts'
import { isObject, readSchema } from '../../src/schema/schema-node.ts'
import { type Edge, edgesOf } from './edges.ts'
import { aliases, type Ids, unknownIdLike } from './fixtures.ts'
import type { IdPool, Input } from './fuzz-probe.ts'

/**
 * The requests of every run, with every seed: one that succeeds, each id of a path and of a body as another owner's and as unknown,
 * and every bound of every member at, within and beyond it. Each has one oddity, so that one bound does not hide that another is missing.
 */
export function inputsByRule(operation: OperationFacts, pool: IdPool): Input[] {
  const happy = pool.happy.map(({ ids, body }) => input(operation, { path: ids, body }))
  const [first] = pool.happy
  if (first === undefined) return []
  const odd = [
    ...oddPaths(operation, first.ids, pool),
    ...edgesIn(operation.query, {}, nobody).flatMap(queryEdge),
    ...edgesIn(operation.headers, {}, nobody).flatMap((edge) => headerEdge(edge)),
    ...oddBodies(operation, first.body, pool),
  ]
  // Each on another object, since an operation may not be possible twice on one.
  return [
    ...happy,
    ...odd.map((each, index) => {
      const { ids, body } = pool.happy[index % pool.happy.length] ?? first
      return input(operation, { path: ids, body, ...each })
    }),
  ]
}

type Odd = Partial<Omit<Input, 'kind'>>

const nobody = () => undefined

function input(operation: OperationFacts, given: Odd): Input {
  return { kind: 'rule', path: {}, query: {}, headers: headersOf(operation), body: undefined, ...given }
}

function headersOf({ requiresIdempotencyKey }: OperationFacts): Record<string, string> {
  return requiresIdempotencyKey ? { 'idempotency-key': randomUUID() } : {}
}

function told({ at, isTaken }: Edge, section: string): Pick<Input, 'at' | 'isTaken'> {
  return { at: `${section} ${at}`, isTaken }
}

function edgesIn(schema: unknown, base: unknown, named: (name: string) => unknown): Edge[] {
  return schema === undefined ? [] : edgesOf(readSchema(schema), { at: '', base, named })
}

function oddPaths(operation: OperationFacts, own: Ids, { foreign }: IdPool): Odd[] {
  const known = foreign.flatMap((ids, index) => [
    { path: { ...ids }, at: `path of another (${index})`, isTaken: true },
    { path: mapped(ids, unknownIdLike), at: `path of nobody (${index})`, isTaken: true },
  ])
  const single = Object.keys(own).flatMap((name) =>
    foreign.map((ids, index) => ({
      path: { ...own, [name]: ids[name] ?? '' },
      at: `path ${name} of another (${index})`,
      isTaken: true,
    })),
  )
  const bounds = edgesIn(operation.params, own, nobody).flatMap((edge) => {
    const path = isObject(edge.value) ? edge.value : {}
    const texts = Object.keys(own).map((name) => [name, path[name]] as const)
    // With a segment less or more, it is another path.
    const isWhole = Object.keys(path).length === texts.length
    return isWhole && texts.every(([, text]) => typeof text === 'string' && text.trim() !== '')
      ? [
          {
            ...told(edge, 'path'),
            path: Object.fromEntries(texts.map(([name, text]) => [name, String(text)])),
          },
        ]
      : []
  })
  return Object.keys(own).length === 0 ? [] : [...known, ...single, ...bounds]
}

function mapped(ids: Ids, change: (id: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, change(id)]))
}

/** All of a query is text. The reader decides whether it becomes something else. */
function queryEdge(edge: Edge): Odd[] {
  if (!isObject(edge.value)) return []
  const isTyped = / (as|null|with)\b/.test(edge.at)
  return [{ ...told(edge, 'query'), query: edge.value, ...(isTyped ? { isTaken: null } : {}) }]
}

/** A value that a header cannot carry never leaves the client. */
function headerEdge(edge: Edge): Odd[] {
  if (!isObject(edge.value)) return []
  const entries = Object.entries(edge.value).map(
    ([name, value]) => [name.replaceAll('_', '-'), value] as const,
  )
  const isSendable = entries.every(
    ([name, value]) =>
      /^[\w-]+$/.test(name) &&
      typeof value === 'string' &&
      /^[\x20-\x7e]+$/.test(value) &&
      value.trim() === value,
  )
  const headers = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
  return isSendable ? [{ ...told(edge, 'header'), headers, isTaken: null }] : []
}

/** A file is read after everything else, and has no schema. */
function oddBodies({ body, content }: OperationFacts, happy: unknown, { bodyIds }: IdPool): Odd[] {
  if (body === undefined || content !== undefined) return []
  const ownId = (name: string) => bodyIds.own[aliases[name] ?? name]
  const bounds = edgesIn(body, happy, ownId).map((edge) => ({ ...told(edge, 'body'), body: edge.value }))
  const names = isObject(happy) ? memberNames(body).filter((name) => ownId(name) !== undefined) : []
  const foreign = names.flatMap((name) =>
    [...bodyIds.foreign.map((ids) => ids[aliases[name] ?? name] ?? ''), unknownIdLike(ownId(name) ?? '')].map(
      (id, index) => ({
        body: { ...(isObject(happy) ? happy : {}), [name]: id },
        at: `body ${name} of another (${index})`,
        isTaken: null,
      }),
    ),
  )
  return [...foreign, ...bounds]
}

function memberNames(schema: unknown): string[] {
  const node = readSchema(schema)
  const parts = node.kind === 'all' ? node.parts : [node]
  return parts.flatMap((part) => (part.kind === 'object' ? [...part.properties.keys()] : []))
}
