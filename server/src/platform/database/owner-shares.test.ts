import { expect, test } from 'vitest'
import { OwnerShares, TookTooLong } from './owner-shares.ts'

const late = new Error('late')

/** Eight places; work that ends when it is told to, at a time that is told. */
function open() {
  let now = 0
  const shares = new OwnerShares({ places: 8, slowMs: 250, rememberMs: 60_000, nowMs: () => now })
  const begun: string[] = []
  const begin = (owner: string) => {
    const held = Promise.withResolvers<void>()
    const ended = shares
      .run(
        owner,
        async () => {
          begun.push(owner)
          await held.promise
        },
        (error) => error === late,
      )
      .then(
        () => 'done',
        (error: unknown) => error,
      )
    return {
      ended,
      end() {
        held.resolve()
        return ended
      },
      fail() {
        held.reject(late)
        return ended
      },
    }
  }
  return {
    begin,
    begun,
    count: (owner: string) => begun.filter((one) => one === owner).length,
    pass(ms: number): void {
      now += ms
    },
  }
}

/** Until nothing is left to happen by itself. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
/** How it has ended by now. */
const endedAs = (ended: Promise<unknown>) => Promise.race([ended, settled().then(() => 'it waits')])

test('one owner has half of the places and waits for them in turn, and another finds a place meanwhile', async () => {
  const { begin, count } = open()
  const many = Array.from({ length: 6 }, () => begin('one'))
  const other = begin('other')
  await settled()
  expect([count('one'), count('other')]).toEqual([4, 1])
  expect(await many[0]?.end()).toBe('done')
  await settled()
  expect(count('one')).toBe(5)
  for (const each of [...many, other]) expect(await each.end()).toBe('done')
})

test('an owner that took too long is turned away instead of waited for, but for one at a time, until it is quick again', async () => {
  const { begin, count, pass } = open()
  const first = Array.from({ length: 6 }, () => begin('slow'))
  await settled()
  pass(1000)
  expect(await first[0]?.fail()).toBe(late)
  // Those that waited are turned away with it.
  expect(await endedAs(first[4]?.ended ?? settled())).toBeInstanceOf(TookTooLong)
  expect(await endedAs(first[5]?.ended ?? settled())).toBeInstanceOf(TookTooLong)
  for (const each of first.slice(1, 4)) await each.end()
  const next = begin('slow')
  expect(await endedAs(begin('slow').ended)).toBeInstanceOf(TookTooLong)
  await settled()
  expect(count('slow')).toBe(5)
  pass(10)
  expect(await next.end()).toBe('done')
  const quick = Array.from({ length: 4 }, () => begin('slow'))
  await settled()
  expect(count('slow')).toBe(9)
  for (const each of quick) await each.end()
})

test('a long statement counts as slow before it ends, and all slow owners together have half of the places', async () => {
  const { begin, count, pass } = open()
  const slow = ['a', 'b', 'c', 'd'].map((owner) => begin(owner))
  await settled()
  pass(300)
  expect(await endedAs(begin('a').ended)).toBeInstanceOf(TookTooLong)
  for (const each of slow) await each.fail()
  const again = ['a', 'b', 'c', 'd'].map((owner) => begin(owner))
  const fifth = begin('e')
  await settled()
  expect(['a', 'b', 'c', 'd', 'e'].map(count)).toEqual([2, 2, 2, 2, 1])
  await fifth.fail()
  // None of its is under way, and yet the slow ones have their half.
  pass(300)
  expect(await endedAs(begin('e').ended)).toBeInstanceOf(TookTooLong)
  const quick = begin('quick')
  await settled()
  expect(count('quick')).toBe(1)
  for (const each of [...again, quick]) await each.end()
})

test('a minute later it is forgotten', async () => {
  const { begin, count, pass } = open()
  const one = begin('slow')
  await settled()
  pass(1000)
  await one.fail()
  pass(60_000)
  const many = Array.from({ length: 4 }, () => begin('slow'))
  await settled()
  expect(count('slow')).toBe(5)
  for (const each of many) await each.end()
})
