import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { RailEvent } from '../../src/domain/buying/rails/port.ts'
import { openStripeRail } from '../harness/stripe-rail.ts'
import { call } from './payment-rail/rail-under-test.ts'

const { stripe, rail, reset, stop } = await openStripeRail()
afterEach(reset)
afterAll(stop)

const { listEvents, readDispute, recoverShare, payShare, refund } = rail
if (!listEvents || !readDispute || !recoverShare || !payShare) throw new Error('the rail knows no disputes')

/** Everything from a position on, and where it ends. */
async function readFrom(position: string | null): Promise<{ events: RailEvent[]; position: string }> {
  const events: RailEvent[] = []
  for (let at = position; ; ) {
    const page = await listEvents?.(at, call)
    if (!page) throw new Error('the rail does not report')
    events.push(...page.events)
    if (page.events.length === 0 && page.next === at) return { events, position: page.next }
    at = page.next
  }
}

const share = (hold: string, amount: bigint) => ({ key: randomUUID(), hold, amount, currency: 'USD' })
const moved = (amount: bigint) => ({ kind: 'done', value: { moved: amount } })

describe('disputes', () => {
  test.each([
    ['warning_needs_response', { status: 'needs_response', outcome: null, withdrawn: 0n }],
    ['warning_closed', { status: 'closed', outcome: 'dropped', withdrawn: 0n }],
    ['needs_response', { status: 'needs_response', outcome: null, withdrawn: 600n }],
    ['under_review', { status: 'under_review', outcome: null, withdrawn: 600n }],
    ['won', { status: 'closed', outcome: 'won', withdrawn: 0n }],
    ['lost', { status: 'closed', outcome: 'lost', withdrawn: 600n }],
  ])('are read with what the bank has taken at the time: %s', async (status, standing) => {
    const hold = await stripe.take(700)
    const isWarning = status.startsWith('warning_')
    const begun = isWarning ? 'warning_needs_response' : 'needs_response'
    const id = await stripe.dispute(hold, { amount: 600, status: begun })
    if (status !== begun) await stripe.goOnWith(id, status)
    const said = await readDispute(id, call)
    expect(said).toMatchObject({
      kind: 'done',
      value: { id, hold, amount: 600n, currency: 'USD', ...standing },
    })
    const isAwaited = standing.status === 'needs_response'
    expect(said.kind === 'done' && said.value.dueBy instanceof Date).toBe(isAwaited)
  })

  test('that are not there are no object, and what cannot be read is not known', async () => {
    expect(await readDispute('du_nobody', call)).toMatchObject({ kind: 'not_now', reason: 'no_object' })
    await stripe.fault('read_dispute', 'lose_answer')
    expect(await readDispute('du_nobody', call)).toEqual({ kind: 'unknown' })
  })

  test('are told of oldest first, each event once, and later only what is new; what is no dispute is left out', async () => {
    const before = await readFrom(null)
    const hold = await stripe.take(700)
    for (let n = 0; n < 60; n += 1) await stripe.dispute(hold)
    const { events, position } = await readFrom(before.position)
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
    ])
    expect(new Set(events.map(({ id }) => id)).size).toBe(120)
    expect(new Set(events.map((one) => one.hold))).toEqual(new Set([hold]))
    expect((await readFrom(null)).events.slice(-120)).toEqual(events)
    await stripe.take(700)
    expect((await readFrom(position)).events).toEqual([])
    const last = await stripe.dispute(hold)
    expect((await readFrom(position)).events.map(({ dispute }) => dispute)).toEqual([last, last])
  })

  test('are told of again from the oldest that is listed, once the last that was read is too old', async () => {
    const hold = await stripe.take(700)
    await stripe.dispute(hold)
    const { position } = await readFrom(null)
    await stripe.forward(31 * 86_400)
    const late = await stripe.dispute(hold)
    expect((await readFrom(position)).events.map(({ dispute }) => dispute)).toEqual([late, late])
  })

  test.each(['lose_answer', 'fail', 'status=429'])(
    'a page that cannot be read moves no position: %s',
    async (fault) => {
      await stripe.fault('list_events', fault)
      expect(await listEvents(null, call)).toBeNull()
    },
  )
})

describe('what a merchant was paid', () => {
  test.each(['lose_answer', 'drop_request', 'fail', 'fail_after', 'status=429'])(
    'is taken back once and paid again once, whatever is lost, also when Stripe has forgotten the key: %s',
    async (fault) => {
      const hold = await stripe.take(700, { destination: 'acct_one' })
      const before = (await stripe.shares()).length
      const back = share(hold, 600n)
      await stripe.fault('reverse_transfer', fault)
      expect((await recoverShare(back, call)).kind).not.toBe('done')
      await stripe.forgetKeys()
      for (const _ of [1, 2]) expect(await recoverShare(back, call)).toEqual(moved(600n))
      const again = share(hold, 600n)
      await stripe.fault('create_transfer', fault)
      expect((await payShare(again, call)).kind).not.toBe('done')
      await stripe.forgetKeys()
      for (const _ of [1, 2]) expect(await payShare(again, call)).toEqual(moved(600n))
      expect((await stripe.shares()).slice(before)).toEqual(['reverse_transfer 600', 'transfer 600'])
    },
  )

  test('is not taken back a second time after a refund has, nor where the operator was paid', async () => {
    const hold = await stripe.take(700, { destination: 'acct_two' })
    await refund({ key: randomUUID(), reference: hold, amount: 500n, currency: 'USD' }, call)
    expect(await recoverShare(share(hold, 700n), call)).toEqual(moved(200n))
    expect(await recoverShare(share(hold, 1n), call)).toEqual(moved(0n))
    const own = await stripe.take(700)
    expect(await recoverShare(share(own, 700n), call)).toEqual(moved(0n))
    expect(await payShare(share(own, 700n), call)).toEqual(moved(0n))
  })

  test('stays where its account has too little, and that is an answer', async () => {
    const hold = await stripe.take(700, { destination: 'acct_three' })
    await stripe.leave('acct_three', 699)
    expect(await recoverShare(share(hold, 700n), call)).toEqual({
      kind: 'refused',
      refusal: { code: 'balance_insufficient', declineCode: null },
    })
  })
})

describe('a refund', () => {
  const refunded = (hold: string, amount: bigint) =>
    refund({ key: randomUUID(), reference: hold, amount, currency: 'USD' }, call)

  test('of disputed money is refused for good', async () => {
    const hold = await stripe.take(700)
    await stripe.dispute(hold)
    expect(await refunded(hold, 100n)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'charge_disputed' },
    })
  })

  test('after a dispute that was won is paid by the operator, as the transfer has nothing left', async () => {
    const hold = await stripe.take(700, { destination: 'acct_four' })
    const id = await stripe.dispute(hold)
    await recoverShare(share(hold, 700n), call)
    await stripe.goOnWith(id, 'won')
    await payShare(share(hold, 700n), call)
    expect(await refunded(hold, 100n)).toMatchObject({ kind: 'done' })
    expect(await stripe.refundsOf(hold)).toEqual([{ amount: 100, transfer_reversal: null }])
  })
})
