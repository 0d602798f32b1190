import { expect, test } from 'vitest'
import { Problem } from '../../contract/problem.ts'
import { Shares } from './shares.ts'

const usual = { places: 4, share: 2, waitersMax: 2, waitMs: 60_000, scope: 'account.reads' }

/** Enters, and tells in `order` when that was. */
async function enter(shares: Shares, tenant: string, order: string[]): Promise<void> {
  await shares.enter(tenant)
  order.push(tenant)
}

async function codeOf(entering: () => Promise<void> | undefined): Promise<unknown> {
  try {
    await entering()
    return 'entered'
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

test('a tenant has no more places than its share, and others have the rest', async () => {
  const order: string[] = []
  const shares = new Shares(usual)
  const waiting = [enter(shares, 'a', order), enter(shares, 'a', order), enter(shares, 'a', order)]
  await Promise.all([enter(shares, 'b', order), enter(shares, 'b', order)])
  expect([order, shares.waiting]).toEqual([['a', 'a', 'b', 'b'], 1])
  shares.leave('b')
  await Promise.resolve()
  expect(order).toHaveLength(4)
  shares.leave('a')
  await Promise.all(waiting)
  expect([order.at(-1), shares.waiting]).toEqual(['a', 0])
})

test('no share is all there is', async () => {
  const shares = new Shares({ ...usual, share: 100, waitMs: 1 })
  for (const _place of [1, 2, 3]) expect(shares.enter('a')).toBeUndefined()
  expect(await codeOf(() => shares.enter('a'))).toBe('rate_limited')
  expect(await codeOf(() => shares.enter('b'))).toBe('entered')
  expect(await codeOf(() => shares.enter('c'))).toBe('busy')
})

test('a free place goes to the tenant that has the fewest, and among equals to the one that has waited longest', async () => {
  const order: string[] = []
  const shares = new Shares({ ...usual, places: 3, share: 2 })
  await Promise.all(['a', 'a', 'b'].map((tenant) => enter(shares, tenant, order)))
  const waiting = ['a', 'b', 'c', 'c', 'd'].map((tenant) => enter(shares, tenant, order))
  for (const left of ['a', 'a', 'b', 'c', 'd']) {
    shares.leave(left)
    await new Promise(setImmediate)
  }
  await Promise.all(waiting)
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'd', 'c'])
})

test('more than may wait are refused at once, with the share by its name', async () => {
  const shares = new Shares(usual)
  for (const _one of [1, 2, 3, 4]) void shares.enter('a')
  try {
    await shares.enter('a')
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'rate_limited' })
    expect(error).toHaveProperty('options.extra', {
      limit: 2,
      window_seconds: 1,
      retry_after_seconds: 60,
      scope: 'account.reads',
    })
  }
})
