import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { RailMovement } from '../../src/domain/buying/rails/port.ts'
import { openStripeRail } from '../harness/stripe-rail.ts'
import { call } from './payment-rail/rail-under-test.ts'

const { stripe, rail, card, reset, stop } = await openStripeRail()
afterEach(reset)
afterAll(stop)

/** Everything from a position on, and where it ends. */
async function readFrom(position: string | null): Promise<{ movements: RailMovement[]; position: string }> {
  const movements: RailMovement[] = []
  for (let at = position; ; ) {
    const page = await rail.listMovements?.(at, call)
    if (!page) throw new Error('the rail does not report')
    movements.push(...page.movements)
    if (page.movements.length === 0 && page.next === at) return { movements, position: page.next }
    at = page.next
  }
}

test('more than a page is read from the oldest on, each once and in order, and later only what is new', async () => {
  const nothing = await readFrom(null)
  expect(nothing.movements).toEqual([])
  const said = await card({ limit: 100_000n }).send()
  if (said.kind !== 'done') throw new Error(`no card was issued: ${said.kind}`)
  const { reference } = said.value
  const take = () => stripe.forceCapture(reference, { key: randomUUID(), amount: 1 })
  const taken: string[] = []
  for (let n = 0; n < 230; n += 1) taken.push(await take())
  const first = await readFrom(null)
  expect(first.movements.map(({ id }) => id)).toEqual(taken)
  // A position from before anything happened leads to all of it.
  expect((await readFrom(nothing.position)).movements.map(({ id }) => id)).toEqual(taken)
  const one = await take()
  expect((await readFrom(first.position)).movements.map(({ id }) => id)).toEqual([one])
})

test.each(['lose_answer', 'fail', 'status=429'])(
  'a page that cannot be read moves no position: %s',
  async (fault) => {
    await stripe.fault('list_transactions', fault)
    expect(await rail.listMovements?.(null, call)).toBeNull()
    expect(await rail.listMovements?.(null, call)).not.toBeNull()
  },
)
