import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenProcessor, openProcessor } from '../../../test/open-processor.ts'
import { controlToken, temporaryFolder } from '../../../test/run-sandbox.ts'
import { startStripe } from '../../stripe/stripe-server.ts'
import { type CardProcessor, openCardProcessor, type TypedCard } from './card-processor.ts'

const state = temporaryFolder()
let processor: OpenProcessor
let stripe: Awaited<ReturnType<typeof startStripe>>
let shop: CardProcessor
let typed: TypedCard
let card: string

async function atStripe(path: string, fields?: Record<string, string>): Promise<Record<string, unknown>> {
  const answer = await fetch(`${stripe.url}/v1/issuing/${path}`, {
    method: fields ? 'POST' : 'GET',
    headers: { authorization: 'Bearer sk_test_sandbox' },
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  })
  return JSON.parse(await answer.text())
}

beforeAll(async () => {
  processor = await openProcessor()
  stripe = await startStripe({ stateDir: state.path, port: 0, controlToken })
  shop = openCardProcessor(processor.url, { stripeUrl: stripe.url })
  const address = { line1: '1 Main Street', city: 'Austin', country: 'US', postal_code: '78701' }
  const billing = Object.fromEntries(
    Object.entries(address).map(([part, value]) => [`billing[address][${part}]`, value]),
  )
  const holder = await atStripe('cardholders', { name: 'Prokura Operations', ...billing })
  const terms = { cardholder: String(holder.id), currency: 'usd', type: 'virtual', status: 'active' }
  card = String((await atStripe('cards', terms)).id)
  const { number, exp_month, exp_year, cvc } = await atStripe(`cards/${card}?expand[]=number&expand[]=cvc`)
  const expiry = `${exp_month} / ${Number(exp_year) % 100}`
  typed = { number: String(number), expiry, securityCode: String(cvc) }
})
afterAll(async () => {
  await Promise.all([processor.close(), stripe.close()])
  state.remove()
})

const order = { amount: 700, currency: 'USD', merchant: 'classic.shop.test', reference: 'classic:1' }

test('a number that Stripe has issued is charged at Stripe, and nowhere else', async () => {
  const held = await shop.authorize(typed, { key: 'a1', ...order })
  if (held.kind !== 'approved') throw new Error(`it was ${held.kind}`)
  const captured = await shop.capture(held.id, { key: 'c1', amount: 600, isFinal: true })
  if (captured.kind !== 'approved') throw new Error(`it was ${captured.kind}`)
  expect((await shop.refund(captured.id, { key: 'r1', amount: 50 })).kind).toBe('approved')
  const moved = (await atStripe(`transactions?card=${card}`)) as { data: { type: string; amount: number }[] }
  expect(moved.data.map(({ type, amount }) => `${type} ${amount}`)).toEqual(['refund 50', 'capture -600'])
  expect(await processor.results()).toEqual([])
})

test('what is given back is held no more, and an answer that was lost is found where it was given', async () => {
  const held = await shop.authorize(typed, { key: 'a2', ...order })
  if (held.kind !== 'approved') throw new Error(`it was ${held.kind}`)
  expect(await shop.settle('a2')).toEqual(held)
  expect((await shop.reverse(held.id, 'v2')).kind).toBe('approved')
  expect(await atStripe(`authorizations/${held.id}`)).toMatchObject({ status: 'reversed', amount: 0 })
  // What was never sent never arrives, at either.
  expect(await shop.settle('a3')).toEqual({ kind: 'declined', code: 'never_sent' })
  expect((await shop.authorize(typed, { key: 'a3', ...order })).kind).toBe('declined')
  const { securityCode: _, ...rest } = typed
  const wrong = await shop.authorize({ ...rest, securityCode: '0000' }, { key: 'a4', ...order })
  expect(wrong).toEqual({ kind: 'declined', code: 'verification_failed' })
  expect(await shop.settle('a4')).toEqual(wrong)
})
