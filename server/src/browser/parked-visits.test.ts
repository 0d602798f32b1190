import { expect, test } from 'vitest'
import type { OpenVisit } from './open-visit.ts'
import { ParkedVisits, type PricingVisit } from './parked-visits.ts'
import { VisitPlaces } from './visit-places.ts'
import { VisitTalk } from './visit-talk.ts'

const hourMs = 3_600_000

/** A visit with what is used of it here: its end. */
function visitOf(name: string, share = 'one') {
  const ended = new AbortController()
  const visit = {
    visit: { signal: ended.signal },
    share,
    request: name,
    close: async () => ended.abort(),
  } as unknown as OpenVisit // nothing else of it is looked at
  return { visit, isOpen: () => !ended.signal.aborted }
}

function pricing(visit: OpenVisit): PricingVisit {
  const talk = new VisitTalk(async () => null, 'ticket_1')
  return { visit, talk, work: new Promise(() => undefined) }
}

test('as many visits wait for codes as may, each is had once, and one that ends is no longer known', async () => {
  const parked = new ParkedVisits({ max: 2, keptForMs: hourMs })
  const [one, two, three] = [visitOf('one'), visitOf('two', 'two'), visitOf('three')]
  const first = parked.park(pricing(one.visit), 'code') ?? ''
  const second = parked.park(pricing(two.visit), 'code') ?? ''
  expect(parked.park(pricing(three.visit), 'code')).toBeNull()
  expect(parked.take(first, () => true)?.visit).toBe(one.visit)
  expect([parked.take(first, () => true), one.isOpen(), parked.has(second)]).toEqual([null, true, true])
  await two.visit.close()
  expect([parked.has(second), parked.count]).toEqual([false, 0])
})

test('no tenant has all the places for codes, and one with several gives one up to a tenant with none', () => {
  const parked = new ParkedVisits({ max: 4, keptForMs: hourMs })
  const loud = [1, 2, 3, 4].map((count) => visitOf(`loud ${count}`))
  expect(loud.map(({ visit }) => parked.park(pricing(visit), 'code') !== null)).toEqual([
    true,
    true,
    true,
    false,
  ])
  for (const share of ['two', 'three', 'four'])
    expect(parked.park(pricing(visitOf(share, share).visit), 'code')).not.toBeNull()
  expect(loud.map(({ isOpen }) => isOpen())).toEqual([false, false, true, true])
  expect(parked.park(pricing(visitOf('five', 'five').visit), 'code')).toBeNull()
})

test('a visit of another cart is closed, and so are all at the end', async () => {
  const parked = new ParkedVisits({ max: 2, keptForMs: hourMs })
  const [one, two] = [visitOf('one'), visitOf('two', 'two')]
  const session = parked.park(pricing(one.visit), 'code') ?? ''
  parked.park(pricing(two.visit), 'code')
  expect(parked.take(session, () => false)).toBeNull()
  await parked.close()
  expect([one.isOpen(), two.isOpen(), parked.count]).toEqual([false, false, 0])
})

test('a page that somebody has signed in to keeps its place, and another gives it up to a cart that waits', async () => {
  const places = new VisitPlaces({ places: 3, waitingMax: 4, waitMs: hourMs, keptForMs: hourMs })
  const { signal } = new AbortController()
  const [signedIn, guest] = [visitOf('signed in'), visitOf('guest')]
  places.keep(signedIn.visit, await places.take('one', signal), true)
  places.keep(guest.visit, await places.take('one', signal))
  const giveBack = await places.take('one', signal)
  expect([signedIn.isOpen(), guest.isOpen()]).toEqual([true, false])
  giveBack()
  await places.close()
})

test('a shopper that waits for a code gets what the next ticket holds, and asks again', async () => {
  const opened: string[] = []
  const talk = new VisitTalk(async (ticket, origin) => {
    opened.push(`${ticket} ${origin}`)
    return { username: null, password: null, code: ticket === 'ticket_2' ? '123456' : null }
  }, 'ticket_1')
  const origin = 'https://shop.example'
  await talk.signIn?.secret(origin)
  expect(await talk.signIn?.secret(origin)).toBeNull()
  const first = talk.signIn?.code(origin, { isRefused: false, message: null })
  expect(await talk.wish()).toEqual({
    kind: 'code',
    host: 'shop.example',
    isRefused: false,
    message: null,
  })
  talk.resume({ ticket: 'ticket_2', answers: [] })
  expect(await first).toBe('123456')
  const second = talk.signIn?.code(origin, { isRefused: true, message: 'Wrong.' })
  expect(await talk.wish()).toMatchObject({ isRefused: true, message: 'Wrong.' })
  talk.resume({ ticket: 'ticket_3', answers: [] })
  expect([await second, opened]).toEqual([null, [1, 2, 3].map((number) => `ticket_${number} ${origin}`)])
})

test('pages that wait for answers have half of the places, and their tenants share them', () => {
  const parked = new ParkedVisits({ max: 8, keptForMs: hourMs })
  const asks = (share: string) => {
    const { visit, isOpen } = visitOf(share, share)
    return { isParked: parked.park(pricing(visit), 'answers') !== null, isOpen }
  }
  const loud = [1, 2, 3, 4].map(() => asks('loud'))
  expect(loud.map(({ isParked }) => isParked)).toEqual([true, true, true, false])
  expect(['two', 'three', 'four', 'five'].map((share) => asks(share).isParked)).toEqual([
    true,
    true,
    true,
    false,
  ])
  // Who has several gave two of them up.
  expect(loud.map(({ isOpen }) => isOpen())).toEqual([false, false, true, true])
  expect(parked.count).toBe(4)
  const codes = ['a', 'b', 'c', 'd'].map((share) => parked.park(pricing(visitOf(share, share).visit), 'code'))
  expect(codes).not.toContain(null)
})

test('a shopper that waits for an answer goes on with all that was answered', async () => {
  const talk = new VisitTalk(async () => null, null)
  const question = { kind: 'needs_input', host: 'shop.example', fields: [], message: null } as const
  const answers = talk.ask(question)
  expect(await talk.wish()).toEqual({ kind: 'answers', question })
  const told = [{ host: 'shop.example', name: 'phone', value: '+15035550123' }]
  talk.resume({ ticket: null, answers: told })
  expect(await answers).toEqual(told)
})
