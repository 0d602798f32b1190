import { randomUUID } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../../src/contract/operation.ts'
import { waitSecondsMax } from '../../src/domain/buying/intents/read/await-change.ts'
import { isObject, readSchema } from '../../src/schema/schema-node.ts'
import { junk, nearOf, validOf } from './arbitraries.ts'
import { aliases, unknownIdLike, type World } from './fixtures.ts'
import { createProbe, type FuzzCounts, type IdPool, type Input, noCounts, type Probe } from './fuzz-probe.ts'
import { inputsByRule } from './fuzz-rules.ts'
import { eachOf } from './suite.ts'

type FuzzOptions = {
  pool: IdPool
  /** Beside those by rule. */
  runs: number
  seed: number
  counts: FuzzCounts
  /** More than one where each request waits for an answer from outside. */
  lanes?: number
}

/** How long a counterexample is made smaller. */
const shrinkMs = 20_000

/** Sends the requests of the rules, then generated ones. Answers one that was answered wrongly, and how, or null. */
export async function fuzzOperation(
  world: World,
  operation: Operation,
  options: FuzzOptions,
): Promise<string | null> {
  const { pool, runs, seed, lanes = 1 } = options
  const counts = noCounts()
  const probe = createProbe(world, operation, { pool, counts })
  const fault =
    (await tryRules(probe, inputsByRule(operation, pool), lanes)) ??
    (await firstOf(
      Array.from({ length: lanes }, (_, lane) =>
        generate(probe, inputOf(operation, pool), {
          numRuns: Math.ceil(runs / lanes),
          seed: seed + lane * 7919,
        }),
      ),
    ))
  for (const name of countNames) options.counts[name] += counts[name]
  // If every request is refused, little was tried.
  if (fault === null && counts.succeeded === 0) return `it never succeeded (seed ${seed})`
  return fault === null ? null : `${fault} (seed ${seed})`.slice(0, 3000)
}

const countNames = ['inputs', 'accepted', 'refused', 'tools', 'succeeded', 'byRule', 'tooLarge'] as const

/** Faults that must be found are found here, with every seed. */
async function tryRules(probe: Probe, inputs: readonly Input[], lanes: number): Promise<string | null> {
  let fault: string | null = null
  await eachOf(inputs, lanes, async (input) => {
    if (fault !== null) return
    const found = await probe(input)
    if (found !== null) fault ??= `${found} on ${JSON.stringify(input).slice(0, 2000)}`
  })
  return fault
}

async function firstOf(faults: readonly Promise<string | null>[]): Promise<string | null> {
  return (await Promise.all(faults)).find((fault) => fault !== null) ?? null
}

/** The smallest generated request that was answered wrongly. */
async function generate(
  probe: Probe,
  inputs: Arbitrary<Input>,
  { numRuns, seed }: { numRuns: number; seed: number },
): Promise<string | null> {
  let shrinkUntilMs = Number.POSITIVE_INFINITY
  const property = fc.asyncProperty(inputs, async (input) => {
    if (performance.now() > shrinkUntilMs) return
    const fault = await probe(input)
    if (fault === null) return
    shrinkUntilMs = Math.min(shrinkUntilMs, performance.now() + shrinkMs)
    throw new Error(fault)
  })
  const details = await fc.check(property, { numRuns, seed })
  if (!details.failed) return null
  const fault = details.errorInstance instanceof Error ? details.errorInstance.message : 'failed'
  return `${fault} on ${JSON.stringify(details.counterexample?.[0])}`
}

const kinds = ['happy', 'happy', 'valid', 'valid', 'near', 'near', 'near', 'junk'] as const

function inputOf(operation: Operation, pool: IdPool): Arbitrary<Input> {
  const inputs = fc.constantFrom(...kinds).chain((kind): Arbitrary<Input> => {
    if (kind === 'happy') return happyInputOf(operation, pool)
    return fc.record({
      kind: fc.constant(kind),
      path: pathOf(pool, kind),
      query: sectionOf(operation.query, kind).map((value) => (isObject(value) ? value : { odd: value })),
      headers: sectionOf(operation.headers, 'valid').map((section) => ({
        ...headerTexts(section),
        ...freshKey(operation),
      })),
      body: operation.body ? bodyOf(operation.body, kind, pool) : fc.constant(undefined),
    })
  })
  return inputs.map(hurried)
}

/** A wait of one second for something that never happens shows as much as one of twenty-five. */
function hurried(input: Input): Input {
  const { wait_seconds: seconds } = input.query
  const isLong = typeof seconds === 'number' && seconds > 1 && seconds <= waitSecondsMax
  return isLong ? { ...input, query: { ...input.query, wait_seconds: 1 } } : input
}

/** A request that succeeds, with up to two members of its body replaced by any value that the schema takes. */
function happyInputOf(operation: Operation, pool: IdPool): Arbitrary<Input> {
  const { body } = operation
  const isOneObject = body !== undefined && readSchema(body).kind === 'object'
  return fc
    .record({
      from: fc.constantFrom(...pool.happy),
      others: isOneObject ? bodyOf(body, 'valid', pool) : fc.constant({}),
      turns: fc.array(fc.nat({ max: 1000 }), { maxLength: 2 }),
      query: sectionOf(operation.query, 'valid').map((value) => (isObject(value) ? value : {})),
    })
    .map(({ from, others, turns, query }) => ({
      kind: 'happy' as const,
      path: { ...from.ids },
      query,
      headers: freshKey(operation),
      body: isObject(from.body) ? { ...from.body, ...someOf(others, turns) } : from.body,
    }))
}

function someOf(value: unknown, turns: readonly number[]): Record<string, unknown> {
  const entries = Object.entries(isObject(value) ? value : {})
  return Object.fromEntries(turns.flatMap((turn) => entries.slice(turn % entries.length).slice(0, 1)))
}

function freshKey({ requiresIdempotencyKey }: Operation): Record<string, string> {
  return requiresIdempotencyKey ? { 'idempotency-key': randomUUID() } : {}
}

function pathOf(pool: IdPool, kind: string): Arbitrary<Record<string, string>> {
  const own = pool.happy.map(({ ids }) => ids)
  const unknown = pool.foreign.map((ids) =>
    Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, unknownIdLike(id)])),
  )
  const known = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...own) },
    { weight: 2, arbitrary: fc.constantFrom(...pool.foreign) },
    { weight: 1, arbitrary: fc.constantFrom(...unknown) },
  )
  const names = Object.keys(own[0] ?? {})
  if (kind === 'valid' || names.length === 0) return known.map((ids) => ({ ...ids }))
  const text = junk.map(
    (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 500) || 'x',
  )
  const odd = fc
    .tuple(known, fc.constantFrom(...names), text)
    .map(([ids, name, value]) => ({ ...ids, [name]: value }))
  return fc.oneof({ weight: 3, arbitrary: known.map((ids) => ({ ...ids })) }, { weight: 1, arbitrary: odd })
}

function sectionOf(schema: unknown, kind: string): Arbitrary<unknown> {
  if (schema === undefined)
    return kind === 'junk' ? fc.constantFrom<unknown>({}, { unknown: 'x' }) : fc.constant({})
  const valid = validOf(readSchema(schema), () => undefined)
  if (kind === 'valid') return valid
  return kind === 'near'
    ? fc.oneof(valid, nearOf(valid))
    : fc.oneof(nearOf(valid), fc.dictionary(fc.string({ minLength: 1 }), junk, { maxKeys: 3 }))
}

function bodyOf(schema: unknown, kind: string, { bodyIds, happy }: IdPool): Arbitrary<unknown> {
  const valid = validOf(readSchema(schema), (name) => {
    const own = bodyIds.own[aliases[name] ?? name]
    if (own === undefined) return undefined
    const others = bodyIds.foreign.map((ids) => ids[aliases[name] ?? name] ?? '')
    return fc.constantFrom(own, own, own, own, unknownIdLike(own), ...others)
  })
  if (kind === 'valid') return valid
  const near = fc.oneof(nearOf(valid), nearOf(fc.constantFrom(...happy).map(({ body }) => body)))
  return kind === 'near' ? near : junk
}

function headerTexts(section: unknown): Record<string, string> {
  const entries = Object.entries(isObject(section) ? section : {})
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replaceAll('_', '-'), headerText(String(value))]),
  )
}

/** Values that a client can send in a header. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').trim()
}
