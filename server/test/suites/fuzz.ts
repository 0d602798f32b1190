import type { Operation } from '../../src/contract/operation.ts'
import { liftedLimits, startTestApp } from '../harness/app.ts'
import type { TestServer } from '../harness/database.ts'
import { payoutAccountsOfTests } from '../harness/payout-accounts.ts'
import { doneMeanwhile, everyStandIn } from '../harness/stand-ins.ts'
import { walletsOfTests } from '../harness/wallets.ts'
import { openClient } from './client.ts'
import { ownerOf } from './credentials.ts'
import { canaryOf, makeIds, type World } from './fixtures.ts'
import { plantFaults } from './fuzz-faults.ts'
import { fuzzOperation } from './fuzz-operation.ts'
import { type Happy, type IdPool, noCounts } from './fuzz-probe.ts'
import { operationsOfKeys } from './operations-of-keys.ts'
import { bodyFor } from './request-bodies.ts'
import { pathParams, setScene } from './scenes.ts'
import { eachOf, type SuiteRun } from './suite.ts'

/** Generated requests for each operation, beside those of the rules. A night of long runs, each with its own seed, makes two million. */
const randomRuns = { gate: 30, long: 1_900 } as const

/** Requests generated from the contract, over REST and MCP. The same checks run against planted faults, which they must find. */
export async function runFuzz(run: SuiteRun): Promise<void> {
  await fuzzContract(run)
  if (run.only === null) await checkFuzz(run)
}

async function fuzzContract(run: SuiteRun): Promise<void> {
  await inWorld(run.server, {}, async (world) => {
    await fuzzAll(world, run)
    for (const bug of world.app.bugs.splice(0))
      run.tally.fail(`the server reported a bug: ${bug instanceof Error ? bug.stack : bug}`)
  })
}

/** An API of its own, with stand-ins for the parties that it waits for. It ends with the work, also when the work fails. */
async function inWorld(
  server: TestServer,
  faulty: { operations?: readonly Operation[] },
  work: (world: World) => Promise<void>,
): Promise<void> {
  const app = await startTestApp({
    server,
    checkReplies: false,
    limits: liftedLimits,
    payoutAccounts: payoutAccountsOfTests,
    walletKeeper: walletsOfTests,
    ...faulty,
  })
  // Answers of a planted fault are not in the document.
  const client = openClient(app.url, ...(faulty.operations ? [null] : []))
  try {
    await doneMeanwhile(app, everyStandIn, () => work({ app, client }))
  } finally {
    await client.close()
    await app.stop()
  }
}

async function fuzzAll(world: World, { size, seed, only, tally }: SuiteRun): Promise<void> {
  const counts = noCounts()
  const some = [...operationsOfKeys.entries()].filter(([, { id }]) => only === null || id.includes(only))
  await eachOf(some, 8, async ([index, operation]) => {
    try {
      const pool = await idPool(world, operation)
      const failure = await fuzzOperation(world, operation, {
        pool,
        runs: randomRuns[size],
        seed: seed + index,
        counts,
        lanes: slow.has(operation.id) ? slowLanes : 1,
      })
      if (failure !== null) tally.fail(`${operation.id}: ${failure}`)
    } catch (error) {
      tally.fail(`${operation.id}: ${error instanceof Error ? error.stack : error}`)
    }
  })
  tally.pass(counts.inputs)
  for (const [name, count] of Object.entries(counts)) tally.figure(name, count)
}

/** By rules alone: the faults must be found with every seed. The seed chooses where bounds are missing. */
export async function checkFuzz({ server, seed, tally }: SuiteRun): Promise<void> {
  const planted = plantFaults(operationsOfKeys, seed)
  let found = 0
  await inWorld(server, { operations: planted.operations }, async (world) => {
    planted.aim({ accountId: world.app.stranger.accountId, mode: 'test' })
    await eachOf(planted.faults, 4, async ({ fault, operation }) => {
      const pool = await idPool(world, operation)
      const failure = await fuzzOperation(world, operation, { pool, runs: 0, seed, counts: noCounts() })
      if (failure === null) tally.fail(`the planted fault was not found: ${fault}`)
      else {
        found += 1
        tally.pass()
      }
    })
    world.app.bugs.splice(0)
  })
  tally.figure('planted faults found', `${found} of ${planted.faults.length}`)
}

/** Operations that wait for another party. A stand-in answers a quarter of a second later; a refund waits three seconds, a purchase one. */
const slow: ReadonlySet<string> = new Set([
  'v1_verify_merchant_domain',
  'v1_test_merchant_destination',
  'v1_test_event_destination',
  'v1_create_quote',
  'v1_refresh_quote',
  'v1_create_merchant_order_refund',
  'v1_get_purchase_intent',
])
const slowLanes = 8

/** Objects to change. Each allows only some calls. */
const ownObjects = 4

async function idPool(world: World, operation: Operation): Promise<IdPool> {
  const { stranger } = world.app
  const names = pathParams(operation)
  // An account of its own: an operation that freezes it, or changes its merchant's currency, would spoil it for others.
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
