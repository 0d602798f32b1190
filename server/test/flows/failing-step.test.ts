import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTrouble, tellTrouble } from '../../src/cli/operator/trouble.ts'
import { watchTrouble } from '../../src/cli/operator/watch-trouble.ts'
import { invariants } from '../../src/composition.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { createLog } from '../../src/platform/logs/logs.ts'
import { brokenInvariants } from '../harness/broken-invariants.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'

/** A step that fails each time, as by a constraint that a bug runs into, must be seen, hold up nobody else, and get on by itself later. */
let buying: Buying
let buyer: Buyer

beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  buyer = await buying.newBuyer()
  await buying.stopWorker()
})
afterAll(() => buying?.stop())

const url = 'https://shop.example/thing'

/** From now on nothing can be written down that the rail issues for this purchase. */
async function breakFor(id: string): Promise<void> {
  await buying.sql(`alter table authorizations add constraint broken check (intent_id <> '${id}') not valid`)
}

/** One try; and as if the wait after it, and what is left of the lease, were over. */
async function tryOnce(id: string): Promise<void> {
  await buying.workWith({})
  await advance(900)
  await buying.sql('update carts set lease_until = now(), due_at = prokura_now() where intent_id = $1', [id])
}

async function advance(seconds: number): Promise<void> {
  expect(await advanceTestClock(buying.app.databaseUrl, seconds)).toBeInstanceOf(Date)
}

async function countOf(id: string) {
  const [row] = await buying.sql<{ failures: number; is_since: boolean; error: string | null; cart: string }>(
    `select id as cart, step_failures as failures, step_failing_since is not null as is_since, step_error as error
     from carts where intent_id = $1`,
    [id],
  )
  if (!row) throw new Error('the purchase has no cart')
  return row
}

test('a step that always fails is counted, holds up no others, is named after an hour, and succeeds once its cause is gone', async () => {
  const { parts } = buying.app
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const watch = watchTrouble(
    { pools: parts.pools, log: createLog({ level: 'error', role: 'api', destination }) },
    null,
  )
  const { id } = await buying.buy(buyer, [{ url }])
  await breakFor(id)
  for (let tried = 0; tried < 4; tried++) await tryOnce(id)
  const { cart, failures } = await countOf(id)
  expect(await countOf(id)).toMatchObject({ is_since: true, error: 'database 23514 broken' })
  // Not an hour yet.
  expect((await readTrouble(parts.pools)).failing).toEqual([])

  const other = await buying.buy(await buying.newBuyer(), [{ url }])
  await tryOnce(id)
  expect(await buying.sql('select status from purchase_intents where id = $1', [other.id])).toEqual([
    { status: 'succeeded' },
  ])
  await tryOnce(id)
  expect((await countOf(id)).failures).toBe(failures + 2)
  const trouble = await readTrouble(parts.pools)
  expect(trouble.failing).toMatchObject([{ kind: 'carts', id: cart, of: id, failures: failures + 2 }])
  const [told] = tellTrouble({ ...trouble, unserved: [] })
  expect(told?.line).toMatch(
    new RegExp(`^Failing: carts ${cart} of ${id}, ${failures + 2} times since .*: database 23514 broken$`),
  )
  await buying.sql('delete from workers')
  await watch.look()
  expect(lines.filter(({ row }) => row === cart)).toMatchObject([
    { level: 'error', of: id, step_error: 'database 23514 broken' },
  ])
  const broken = await brokenInvariants(buying.app, invariants)
  expect(broken).toContain(`W2-failing carts ${cart}`)
  // The call is excused: its row is named.
  expect(broken.filter((line) => line.startsWith('W7'))).toEqual([])

  await buying.sql('alter table authorizations drop constraint broken')
  await buying.workWith({})
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1380 })
  expect(await countOf(id)).toMatchObject({ failures: 0, is_since: false, error: null })
  expect(await buying.moneyOf(id)).toEqual(['issue_credential 1380 approved', 'capture 1380 approved'])
  expect((await readTrouble(parts.pools)).failing).toEqual([])
  await buying.relayed()
  expect(await brokenInvariants(buying.app, invariants)).toEqual([])
  await watch.stop()
})

test('a call without an answer is no success because it is old: an hour later it is named, by the audit and to the operator', async () => {
  const { id } = await buying.buy(buyer, [{ url }])
  const pause = buying.faults.pause('issue_credential.before')
  const running = buying.workWith({})
  await pause.reached
  await advance(3601)
  const named = async () => (await readTrouble(buying.app.parts.pools)).unanswered
  expect(await named()).toMatchObject([{ of: id, step: 'issue_credential' }])
  expect(await brokenInvariants(buying.app, invariants)).toContainEqual(
    expect.stringMatching(/^W7 cart_.*:1:issue_credential$/),
  )
  pause.resume()
  await running
  await buying.workWith({})
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  expect(await named()).toEqual([])
})
