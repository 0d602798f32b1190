import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newDestination, newEventDestination } from '../../../../test/harness/deliveries.ts'

let app: TestApp
let merchant: string
let buyer: string
beforeAll(async () => {
  app = await startTestApp()
  merchant = (await newDestination(app, 'https://merchant.example/')).id
  buyer = (await newEventDestination(app, 'https://buyer.example/')).id
})
afterAll(() => app.stop())

test("under the old name there are merchants' destinations, which can be locked and changed, and no buyer's", async () => {
  const all = await app.sql('select d.id from destinations d for no key update of d')
  expect(all).toEqual([{ id: merchant }])
  await app.sql(`update destinations d set name = 'Renamed', failing_since = null where d.id = any ($1)`, [
    [merchant, buyer],
  ])
  const names = await app.sql('select audience, name from webhook_destinations order by audience')
  expect(names).toEqual([
    { audience: 'buyer', name: 'Backend' },
    { audience: 'merchant', name: 'Renamed' },
  ])
})

test('a destination that the previous version creates is one of a merchant', async () => {
  const { accountId } = app.stranger
  await app.sql(
    `insert into destinations (account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, disabled_reason,
       disabled_at, archived_at, metadata, seq, created_at, updated_at)
     values ($1, 'test', 'dest_old', 'Old', false, '{order.requested}', 'https://old.example/', 'enabled', null, null, null, '{}', 1,
       now(), now())`,
    [accountId],
  )
  expect(await app.sql(`select audience from webhook_destinations where id = 'dest_old'`)).toEqual([
    { audience: 'merchant' },
  ])
})

test("the version before matches nothing with a buyer's destination, and claims no delivery to it", async () => {
  const matched = await app.sql(
    `select distinct d.id from destination_subscriptions s
     join destinations d on d.account_id = s.account_id and d.mode = s.mode and d.id = s.destination_id and d.status <> 'archived'
     where s.account_id = $1`,
    [app.account.accountId],
  )
  expect(matched).toEqual([{ id: merchant }])
})
