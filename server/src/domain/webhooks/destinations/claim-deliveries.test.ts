import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  newDestination,
  startDeliverer,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
import { events } from '../../../composition.ts'
import { createEgress } from '../../../platform/egress/egress.ts'
import { turnOf } from '../../../platform/work/turns.testing.ts'
import type { Running } from '../../../platform/work/turns.ts'
import type { ClaimedDelivery } from './delivery-work.sql.ts'
import { createDeliveryWork } from './work.ts'

let app: TestApp
let deliverer: Deliverer
beforeEach(async () => {
  app = await startTestApp()
  deliverer = startDeliverer(app)
})
afterEach(async () => {
  await deliverer.stop()
  await app.stop()
})
afterAll(() => egress.close())

const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [] })
const work = createDeliveryWork({
  events,
  egress,
  wallNow: () => new Date(),
  onFailed: async () => () => undefined,
})
const twoThirds = Math.ceil((work.concurrency * 2) / 3)
const nowhere = 'http://127.0.0.1:9/hooks'

/** Claims as a process would that has these under way. */
async function claimBeside(running: readonly Running<ClaimedDelivery>[], limit = 128) {
  const { rows } = await app.parts.pools.single(work.claim(turnOf(limit), running))
  return rows
}

async function due(owner: TestAccount, { destinations, events }: { destinations: number; events: number }) {
  for (let index = 0; index < destinations; index++)
    await newDestination(app, nowhere, {}, owner.keys.secret_test)
  for (let index = 0; index < events; index++) await tellMerchant(app, owner, [{}])
  await deliverer.relay.runOnce()
}

/** `count` attempts under way, to destinations of their own. */
function underWay(owner: TestAccount, count: number, hasPlace: boolean): Running<ClaimedDelivery>[] {
  return Array.from({ length: count }, (_, index) => {
    const row = { account_id: owner.accountId, destination_id: `dest_${index}` } as ClaimedDelivery // what a claim reads of it
    return { row, hasPlace }
  })
}

const countOf = (rows: readonly ClaimedDelivery[], owner: TestAccount) =>
  rows.filter(({ account_id }) => account_id === owner.accountId).length

test('one account takes no more than two thirds of the places, and another one finds the rest', async () => {
  await due(app.stranger, { destinations: 20, events: 2 })
  await due(app.account, { destinations: 1, events: 2 })
  const atTheBound = underWay(app.stranger, twoThirds, true)
  const rows = await claimBeside(atTheBound)
  expect([countOf(rows, app.stranger), countOf(rows, app.account)]).toEqual([0, 2])
})

test('attempts that are slow are not held against their account', async () => {
  await due(app.stranger, { destinations: 20, events: 2 })
  const rows = await claimBeside(underWay(app.stranger, twoThirds, false))
  expect(countOf(rows, app.stranger)).toBe(40)
})

test('a small claim takes rows of those with the fewest under way: by account, then by destination', async () => {
  await due(app.stranger, { destinations: 5, events: 4 })
  await due(app.account, { destinations: 2, events: 4 })
  const rows = await claimBeside([], 4)
  expect([countOf(rows, app.stranger), countOf(rows, app.account)]).toEqual([2, 2])
  const others = rows.filter(({ account_id }) => account_id === app.stranger.accountId)
  expect(new Set(others.map(({ destination_id }) => destination_id)).size).toBe(2)
})

test('a destination never gets more than its places, also when its attempts are slow', async () => {
  const destination = await newDestination(app, nowhere)
  for (let index = 0; index < 40; index++) await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  const row = { account_id: app.account.accountId, destination_id: destination.id } as ClaimedDelivery // what a claim reads of it
  const slow = Array.from({ length: 30 }, () => ({ row, hasPlace: false }))
  expect((await claimBeside(slow)).length).toBe(2)
  expect((await claimBeside([])).length).toBe(32)
})
