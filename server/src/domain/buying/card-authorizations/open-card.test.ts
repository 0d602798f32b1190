import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { closeCard, openCard } from './public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const funds = { amount: 1_000n, readAt: new Date('2026-01-01T00:00:00Z') }

function card(reference: string, limit: bigint, currency = 'USD') {
  return { reference, cartId: 'cart_1', attempt: 1, profileId: 'prof_1', agentId: null, limit, currency }
}

function asWorker<T>(work: Parameters<typeof runAs<T>>[2]): Promise<T> {
  const tenant = { accountId: app.account.accountId, mode: 'live' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

/** How many transactions wait for a row. */
async function waiting(): Promise<number> {
  const [row] = await app.sql<{ count: number }>(
    'select count(*)::int as count from pg_locks where not granted',
  )
  return row?.count ?? 0
}

test('two cards at once are opened one after the other, within the balance that pays for both', async () => {
  let second: ReturnType<typeof openCard> | undefined
  let isOver = false
  const first = await asWorker(async (ctx) => {
    const isOpen = await openCard(ctx, card('ic_1', 600n), funds)
    second = asWorker((other) => openCard(other, card('ic_2', 600n), funds)).finally(() => {
      isOver = true
    })
    await expect.poll(async () => isOver || (await waiting()) > 0).toBe(true)
    return isOpen
  })
  expect([first, await second]).toEqual(['opened', 'not_covered'])
})

test('the rest of a balance covers another card, and another currency has its own', async () => {
  expect(await asWorker((ctx) => openCard(ctx, card('ic_3', 400n), funds))).toBe('opened')
  expect(await asWorker((ctx) => openCard(ctx, card('ic_4', 1n), funds))).toBe('not_covered')
  expect(await asWorker((ctx) => openCard(ctx, card('ic_5', 1_000n, 'EUR'), funds))).toBe('opened')
})

test('a card that was closed is in a balance that was read since, and not in one from before', async () => {
  await asWorker(async (ctx) => closeCard(ctx, 'ic_1'))
  expect(await asWorker((ctx) => openCard(ctx, card('ic_6', 600n), funds))).toBe('not_covered')
  const readSince = { amount: 1_000n, readAt: new Date(Date.now() + 60_000) }
  expect(await asWorker((ctx) => openCard(ctx, card('ic_6', 600n), readSince))).toBe('opened')
})
