import { operations } from '../../src/api.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { startTestApp } from '../harness/app.ts'
import { openClient } from './client.ts'
import { ownerOf } from './credentials.ts'
import { canaryOf, makeIds, type World } from './fixtures.ts'
import { plantFaults } from './fuzz-faults.ts'
import { fuzzOperation, type IdPool } from './fuzz-operation.ts'
import { pathParams } from './matrix.ts'
import { eachOf, type SuiteRun } from './suite.ts'

/** A night of long runs, each with a seed of its own, comes to two millions. */
const inputsOf = { gate: 20_000, long: 240_000 } as const
const faultRuns = 400

/** Requests generated from the contract, over both doors; and the same eyes on five planted faults, which they must see. */
export async function runFuzz(run: SuiteRun): Promise<void> {
  await fuzzContract(run)
  await fuzzFaults(run)
}

async function fuzzContract({ server, size, seed, tally }: SuiteRun): Promise<void> {
  const app = await startTestApp({ server, checkReplies: false })
  const client = openClient(app.url)
  const world: World = { app, client }
  const runs = Math.ceil(inputsOf[size] / (operations.length - slow.size))
  const counts = { inputs: 0, accepted: 0, refused: 0, tools: 0 }
  // Before anything is fuzzed: afterwards the account may be frozen, or its merchant without a currency.
  const pools = new Map<string, IdPool>()
  for (const operation of operations) pools.set(operation.id, await idPool(world, operation))
  await eachOf([...operations.entries()], 8, async ([index, operation]) => {
    try {
      const pool = pools.get(operation.id)
      if (!pool) return
      const asked = slow.has(operation.id) ? slowRuns : runs
      const failure = await fuzzOperation(world, operation, { pool, runs: asked, seed: seed + index, counts })
      if (failure === null) tally.pass(asked)
      else tally.fail(`${operation.id}: ${failure}`)
    } catch (error) {
      tally.fail(`${operation.id}: ${error instanceof Error ? error.stack : error}`)
    }
  })
  for (const [name, count] of Object.entries(counts)) tally.figure(name, count)
  for (const bug of app.bugs.splice(0))
    tally.fail(`the server reported a bug: ${bug instanceof Error ? bug.stack : bug}`)
  await client.close()
  await app.stop()
}

async function fuzzFaults({ server, seed, tally }: SuiteRun): Promise<void> {
  const planted = plantFaults(operations)
  const app = await startTestApp({ server, checkReplies: false, operations: planted.operations })
  planted.aim({ accountId: app.stranger.accountId, mode: 'test' })
  const client = openClient(app.url, null)
  const world: World = { app, client }
  let found = 0
  for (const { fault, operation } of planted.faults) {
    const pool = await idPool(world, operation)
    const counts = { inputs: 0, accepted: 0, refused: 0, tools: 0 }
    const failure = await fuzzOperation(world, operation, { pool, runs: faultRuns, seed, counts })
    if (failure === null) tally.fail(`the planted fault was not found: ${fault}`)
    else {
      found += 1
      tally.pass()
    }
  }
  tally.figure('planted faults found', `${found} of ${planted.faults.length}`)
  app.bugs.splice(0)
  await client.close()
  await app.stop()
}

/** Operations that wait for somebody who is not here; with ids of their own they would only measure patience. */
const waiting: ReadonlySet<string> = new Set([
  'v1_test_merchant_destination',
  'v1_create_quote',
  'v1_test_event_destination',
])

/** Those wait without an id, too: whoever calls them has what they wait for. */
const slow: ReadonlySet<string> = new Set(['v1_verify_merchant_domain'])
const slowRuns = 2

async function idPool(world: World, operation: Operation): Promise<IdPool> {
  const { account, stranger } = world.app
  const names = pathParams(operation)
  // Whoever freezes an account spoils it for the others.
  const isControl = operation.scope === 'controls:write'
  const own = ownerOf(isControl ? await world.app.newAccount() : account, 'test')
  const others = [ownerOf(stranger, 'test'), ownerOf(account, 'live')]
  return {
    own: waiting.has(operation.id)
      ? []
      : [await makeIds(names, world, own), await makeIds(names, world, own)],
    foreign: await Promise.all(others.map((owner) => makeIds(names, world, owner))),
    bodyIds: {
      own: await makeIds(['profile_id', 'payment_method_id', 'policy_id'], world, own),
      foreign: await Promise.all(
        others.map((owner) => makeIds(['profile_id', 'payment_method_id', 'policy_id'], world, owner)),
      ),
    },
    key: own.key,
    canaries: others.map(canaryOf),
  }
}
