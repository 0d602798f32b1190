import { operations } from '../../src/api.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { startTestApp } from '../harness/app.ts'
import { doneMeanwhile, everyStandIn } from '../harness/stand-ins.ts'
import { openClient } from './client.ts'
import { ownerOf } from './credentials.ts'
import { canaryOf, makeIds, type World } from './fixtures.ts'
import { plantFaults } from './fuzz-faults.ts'
import { fuzzOperation, type Happy, type IdPool } from './fuzz-operation.ts'
import { bodyFor } from './request-bodies.ts'
import { pathParams, setScene } from './scenes.ts'
import { eachOf, type SuiteRun } from './suite.ts'

/** A night of long runs, each with a seed of its own, comes to two millions. */
const inputsOf = { gate: 20_000, long: 240_000 } as const
const faultRuns = 400

/** Requests generated from the contract, over both doors; and the same eyes on six planted faults, which they must see. */
export async function runFuzz(run: SuiteRun): Promise<void> {
  await fuzzContract(run)
  if (run.only === null) await fuzzFaults(run)
}

async function fuzzContract(run: SuiteRun): Promise<void> {
  const { server, tally } = run
  const app = await startTestApp({ server, checkReplies: false })
  const client = openClient(app.url)
  await doneMeanwhile(app, everyStandIn, () => fuzzAll({ app, client }, run))
  for (const bug of app.bugs.splice(0))
    tally.fail(`the server reported a bug: ${bug instanceof Error ? bug.stack : bug}`)
  await client.close()
  await app.stop()
}

async function fuzzAll(world: World, { size, seed, only, tally }: SuiteRun): Promise<void> {
  const runs = Math.ceil(inputsOf[size] / (operations.length - slow.size))
  const counts = { inputs: 0, accepted: 0, refused: 0, tools: 0, succeeded: 0 }
  const some = [...operations.entries()].filter(([, { id }]) => only === null || id.includes(only))
  await eachOf(some, 8, async ([index, operation]) => {
    try {
      const pool = await idPool(world, operation)
      const asked = slow.has(operation.id) ? slowRuns : runs
      const failure = await fuzzOperation(world, operation, { pool, runs: asked, seed: seed + index, counts })
      if (failure === null) tally.pass(asked)
      else tally.fail(`${operation.id}: ${failure}`)
    } catch (error) {
      tally.fail(`${operation.id}: ${error instanceof Error ? error.stack : error}`)
    }
  })
  for (const [name, count] of Object.entries(counts)) tally.figure(name, count)
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
    const counts = { inputs: 0, accepted: 0, refused: 0, tools: 0, succeeded: 0 }
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

/** Those wait for somebody, for whom others stand in a quarter of a second later; a refund waits its three seconds. */
const slow: ReadonlySet<string> = new Set([
  'v1_verify_merchant_domain',
  'v1_test_merchant_destination',
  'v1_test_event_destination',
  'v1_create_quote',
  'v1_refresh_quote',
  'v1_create_merchant_order_refund',
])
const slowRuns = 40

/** Objects to change: each takes some calls only. */
const ownObjects = 4

async function idPool(world: World, operation: Operation): Promise<IdPool> {
  const { stranger } = world.app
  const names = pathParams(operation)
  // An account of its own: whoever freezes one, or takes the currency of its merchant, spoils it for others.
  const account = await world.app.newAccount()
  const own = ownerOf(account, 'test')
  const others = [ownerOf(stranger, 'test'), ownerOf(account, 'live')]
  const happy: Happy[] = []
  for (let made = 0; made < (operation.method === 'GET' ? 1 : ownObjects); made++) {
    const ids = await setScene(operation, world, own)
    happy.push({ ids, body: await bodyFor(world, operation, own, { path: ids, body: {} }) })
  }
  return {
    happy,
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
