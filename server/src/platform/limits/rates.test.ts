import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import type { ActingContext } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import { runAs } from '../calls/run-as.ts'
import { type Asked, subjectOf, takeRateNow, takeRates } from './rates.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { destinationTests: 3, accountTests: 5 } })
})
afterAll(() => app.stop())

const minuteMs = 60_000
const start = new Date('2026-03-01T12:00:00Z')
const after = (minutes: number) => new Date(start.getTime() + minutes * minuteMs)

/** A transaction of somebody's at a time of ours; what it was refused with, or null. */
async function take(
  asked: readonly Asked[],
  now: Date,
  then: (ctx: ActingContext) => Promise<void> = async () => undefined,
): Promise<Problem | null> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  try {
    await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
      await takeRates({ ...ctx, now }, asked)
      await then(ctx)
    })
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const testsOf = (subject: string): Asked[] => [{ limit: 'destinationTests', subject }]
const counted = async (subject: string) =>
  (
    await app.sql<{ taken: Date[] }>('select taken from rate_counters where subject = $1', [subject])
  )[0]?.taken.map((at) => (at.getTime() - start.getTime()) / minuteMs) ?? null

test('no hour holds more than the limit, wherever it begins, and the refusal says when there is room', async () => {
  for (const minute of [0, 30, 50]) expect(await take(testsOf('a'), after(minute))).toBeNull()
  const refused = await take(testsOf('a'), after(55))
  expect(refused).toMatchObject({ code: 'rate_limited' })
  expect(refused?.options.extra).toEqual({
    limit: 3,
    window_seconds: 3600,
    retry_after_seconds: 300,
    scope: 'destination.tests',
  })
  expect(await take(testsOf('b'), after(55))).toBeNull()
  expect(await take(testsOf('a'), after(60))).toBeNull()
  expect((await take(testsOf('a'), after(61)))?.options.extra).toMatchObject({ retry_after_seconds: 29 * 60 })
  expect(await counted('a')).toEqual([30, 50, 60])
})

test('a call that is rolled back is not counted', async () => {
  const fail = async () => {
    throw new Problem('conflict')
  }
  for (let time = 0; time < 5; time++)
    expect(await take(testsOf('rolled back'), start, fail)).toMatchObject({ code: 'conflict' })
  expect(await counted('rolled back')).toBeNull()
})

test('of many at once exactly as many as the limit get through', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => take(testsOf('at once'), start)))
  expect(answers.filter((answer) => answer === null)).toHaveLength(3)
})

test('where one of two rates is used up neither is counted', async () => {
  const both = (id: string): Asked[] => [
    { limit: 'accountTests', subject: 'all' },
    { limit: 'destinationTests', subject: id },
  ]
  for (const id of ['x', 'x', 'x', 'y']) expect(await take(both(id), start)).toBeNull()
  expect((await take(both('x'), start))?.options.extra).toMatchObject({ scope: 'destination.tests' })
  expect(await take(both('y'), start)).toBeNull()
  expect((await take(both('z'), start))?.options.extra).toMatchObject({
    scope: 'account.destination_tests',
    limit: 5,
  })
  expect(await counted('z')).toBeNull()
})

test('a count outside the transaction stays, and does not wait for the call to end', async () => {
  const commitNow = async <Row>(statement: Parameters<typeof app.parts.pools.single<Row>>[0]) =>
    (await app.parts.pools.single<Row>(statement)).rows
  const ctx = { now: start, settings: app.parts.settings, commitNow }
  const asked: Asked = { limit: 'destinationTests', subject: 'apart' }
  for (let time = 0; time < 3; time++) await takeRateNow(ctx, asked)
  await expect(takeRateNow(ctx, asked)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await counted('apart')).toHaveLength(3)
})

test('counters that have expired are swept by those that come later', async () => {
  for (let number = 0; number < 50; number++) await take(testsOf(`old ${number}`), start)
  for (let minute = 130; minute < 140; minute++) await take(testsOf('late'), after(minute))
  const left = await app.sql<{ subject: string }>('select subject from rate_counters')
  expect(left).toEqual([{ subject: 'late' }])
})

test('the tenant is one part of the subject, and its object another', () => {
  const tenant = { accountId: app.account.accountId, mode: 'live' } as const
  expect(subjectOf(tenant)).toBe(`${app.account.accountId} live`)
  expect(subjectOf(tenant, 'dest_1')).toBe(`${app.account.accountId} live dest_1`)
})
