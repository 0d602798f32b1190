import { randomUUID } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import { isObject } from '../../src/schema/schema-node.ts'
import { liftedLimits, startTestApp } from '../harness/app.ts'
import { doneMeanwhile, everyStandIn } from '../harness/stand-ins.ts'
import { walletsOfTests } from '../harness/wallets.ts'
import { readDocument, type Told, type ToldDocument } from './allowed/document.ts'
import { faultOfAllowed, faultOfForbidden } from './allowed/judge.ts'
import { madeFrom, spoiled } from './allowed/values.ts'
import { openClient, type Sent } from './client.ts'
import { ownerOf } from './credentials.ts'
import type { Ids, World } from './fixtures.ts'
import { operationsOfKeys } from './operations-of-keys.ts'
import { setScene } from './scenes.ts'
import { eachOf, type SuiteRun } from './suite.ts'

/** Requests of each kind, of each operation. */
const tries = { gate: 10, long: 250 } as const
const lanes = 8
const readsAtOnce = 10

/**
 * Requests made from the published document alone, by a client that knows none of our formats. What the document allows is taken, or
 * refused by a rule that it states. What it forbids is answered 422.
 */
export async function runAllowed({ server, size, seed, only, tally }: SuiteRun): Promise<void> {
  const app = await startTestApp({
    server,
    checkReplies: false,
    limits: liftedLimits,
    walletKeeper: walletsOfTests,
  })
  const world = { app, client: openClient(app.url) }
  const counts = { allowed: 0, taken: 0, refused: 0, forbidden: 0 }
  const heard = new Set<string>()
  try {
    const document = readDocument(await (await fetch(`${app.url}/openapi.json`)).text())
    const told = document.operations.filter(({ id }) => only === null || id.includes(only))
    await doneMeanwhile(app, everyStandIn, () =>
      eachOf([...told.entries()], lanes, async ([index, operation]) => {
        const fault = await tryOperation(world, document, operation, {
          tries: tries[size],
          seed: seed + index,
          counts,
          heard,
        }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
        if (fault === null) tally.pass()
        else tally.fail(`${operation.id} ${fault}`)
      }),
    )
    for (const bug of app.bugs.splice(0))
      tally.fail(`a bug was reported: ${bug instanceof Error ? bug.stack : bug}`)
    for (const [name, count] of Object.entries(counts)) tally.figure(name, count)
    tally.figure('operations that took something', heard.size)
    if (counts.taken === 0 || (only === null && counts.forbidden === 0)) tally.fail('nothing was tried')
  } finally {
    await world.client.close()
    await app.stop()
  }
}

type Trial = {
  tries: number
  seed: number
  counts: { allowed: number; taken: number; refused: number; forbidden: number }
  heard: Set<string>
}

async function tryOperation(
  world: World,
  { resolve }: ToldDocument,
  told: Told,
  { tries, seed, counts, heard }: Trial,
): Promise<string | null> {
  const operation = operationsOfKeys.find(({ id }) => id === told.id)
  // A body that is a file has no schema to make it from. What people alone may call, their own tests try.
  if (operation === undefined || operation.content !== undefined) return null
  const owner = ownerOf(await world.app.newAccount(), 'test')
  const ids = await setScene(operation, world, owner)
  const bodies =
    told.body === null
      ? null
      : fc.oneof(
          ...(told.body.examples.length > 0 ? [fc.constantFrom(...told.body.examples)] : []),
          madeFrom(told.body.schema, resolve).filter(told.allows),
        )
  const send = (query: string, body: unknown) => request(world, told, { ids, key: owner.key, query, body })
  const faults: string[] = []
  const allowed = sample(fc.tuple(queryOf(told, resolve), bodies ?? fc.constant(undefined)), tries, seed)
  // Reads change nothing for each other, and some wait for as long as they ask.
  await eachOf(allowed, told.method === 'GET' ? readsAtOnce : 1, async ([query, body]) => {
    if (faults.length > 0) return
    const sent = await send(query, body)
    counts.allowed += 1
    if (sent.status < 300) heard.add(told.id)
    counts[sent.status < 300 ? 'taken' : 'refused'] += 1
    const fault = faultOfAllowed(told, sent)
    if (fault !== null) faults.push(`${fault} on ${query} ${JSON.stringify(body)} (seed ${seed})`)
  })
  const [first = null] = faults
  if (first !== null || bodies === null) return first
  const wrong = sample(spoiled(bodies), tries, seed).filter((body) => !told.allows(body))
  for (const body of wrong) {
    const sent = await send('', body)
    counts.forbidden += 1
    const fault = faultOfForbidden(told, body, sent)
    if (fault !== null) return `${fault} on ${JSON.stringify(body)?.slice(0, 2000)} (seed ${seed})`
  }
  return null
}

function sample<Value>(values: Arbitrary<Value>, numRuns: number, seed: number): Value[] {
  return fc.sample(values, { numRuns, seed })
}

function queryOf({ query }: Told, resolve: ToldDocument['resolve']): Arbitrary<string> {
  const members = query.map(({ name, schema }) => [name, madeFrom(schema, resolve)] as const)
  const requiredKeys = query.filter(({ required }) => required).map(({ name }) => name)
  return fc
    .record(Object.fromEntries(members), { requiredKeys })
    .map((values) => Object.entries(values).filter(([, value]) => value !== null && !isObject(value)))
    .map((entries) =>
      entries.length === 0
        ? ''
        : `?${new URLSearchParams(
            // A list is its parameter again for each value.
            entries.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
          )}`,
    )
}

function request(
  { client }: World,
  told: Told,
  { ids, key, query, body }: { ids: Ids; key: string; query: string; body: unknown },
): Promise<Sent> {
  const path = told.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
  return client.rest({
    method: told.method,
    path: `${path}${query}`,
    key,
    headers: told.needsIdempotencyKey ? { 'idempotency-key': randomUUID() } : {},
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
