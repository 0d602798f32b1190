import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { confirmFallback, openCard, stopAtForeignCharges } from './public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(() => app.sql('delete from card_programs'))

function asWorker<T>(work: Parameters<typeof runAs<T>>[2]): Promise<T> {
  const tenant = { accountId: app.account.accountId, mode: 'live' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

let cards = 0

function open() {
  const reference = `ic_program_${++cards}`
  const of = { cartId: 'cart_1', attempt: 1, profileId: 'prof_1', agentId: null }
  const funds = { amount: 1_000_000n, readAt: new Date() }
  return asWorker((ctx) => openCard(ctx, { ...of, reference, limit: 100n, currency: 'USD' }, funds))
}

/** A charge that was answered here. */
async function answered(because: string | null): Promise<string> {
  const reference = `ic_answered_${++cards}`
  const id = `iauth_${cards}`
  const owner = app.account.accountId
  await app.sql(
    `insert into chargeable_cards (account_id, mode, reference, cart_id, attempt, profile_id, limit_amount, currency)
     values ($1, 'live', $2, 'cart_1', 1, 'prof_1', 1, 'USD')`,
    [owner, reference],
  )
  await app.sql(
    `insert into card_authorizations (account_id, mode, authorization_id, request, reference, amount, currency, network_id, network_name,
       declined_because, decided_at) values ($1, 'live', $2, 0, $3, 1, 'USD', '1', 'SHOP', $4, now())`,
    [owner, id, reference, because],
  )
  return id
}

const seen = (...charges: Parameters<typeof stopAtForeignCharges>[1]) =>
  asWorker((ctx) => stopAtForeignCharges(ctx, charges))

test('a charge that was allowed here stops nothing', async () => {
  expect(await seen({ id: await answered(null), isUnasked: false })).toBeNull()
  expect(await open()).toBe('opened')
})

test('no card is shown any more once a charge was allowed that nobody here has allowed', async () => {
  expect(await seen({ id: 'iauth_nobody', isUnasked: false })).toBe('iauth_nobody')
  expect(await open()).toBe('stopped')
})

test('a charge that was declined here, or answered too late, and allowed by its issuer stops cards', async () => {
  const declined = await answered('over_limit')
  expect(await seen({ id: declined, isUnasked: false })).toBe(declined)
  await asWorker(async (ctx) => confirmFallback(ctx, 'operator:Jane'))
  const late = await answered(null)
  expect(await seen({ id: late, isUnasked: true })).toBe(late)
  expect(await open()).toBe('stopped')
})

test('the operator’s word that the issuer declines lets cards be shown again, and has its day', async () => {
  await seen({ id: 'iauth_first', isUnasked: true })
  await seen({ id: 'iauth_second', isUnasked: true })
  const program = () => app.sql('select confirmed_by, stopped_by from card_programs')
  expect(await program()).toEqual([{ confirmed_by: null, stopped_by: 'iauth_first' }])
  await asWorker(async (ctx) => confirmFallback(ctx, 'operator:Jane'))
  expect(await program()).toEqual([{ confirmed_by: 'operator:Jane', stopped_by: null }])
  expect(await open()).toBe('opened')
})
