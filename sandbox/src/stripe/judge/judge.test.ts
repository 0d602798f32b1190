import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlToken, temporaryFolder } from '../../../test/run-sandbox.ts'
import { descriptionPath, descriptions } from '../../../test/stripe/renew-description.ts'
import { startStripe } from '../stripe-server.ts'
import { openJudge } from './judge.ts'

const state = temporaryFolder()
let server: Awaited<ReturnType<typeof startStripe>>
let stripe: Stripe
beforeAll(async () => {
  server = await startStripe({ stateDir: state.path, port: 0, controlToken })
  const { hostname: host, port } = new URL(server.url)
  stripe = new Stripe('sk_test_sandbox', { host, port, protocol: 'http', maxNetworkRetries: 0 })
})
afterAll(() => state.remove())

/** What an honest exchange says, changed in one place: the judge has to notice each change, and nothing else. */
const refund = {
  id: 're_1',
  object: 'refund',
  amount: 300,
  balance_transaction: null,
  charge: 'ch_1',
  created: 1_790_000_000,
  currency: 'usd',
  customer: null,
  customer_account: null,
  metadata: {},
  payment_intent: 'pi_1',
  payment_method: null,
  reason: null,
  receipt_number: null,
  source_transfer_reversal: null,
  status: 'succeeded',
  transfer_reversal: null,
}
const { version } = JSON.parse(descriptions().kept)
const honest = {
  operation: 'POST /v1/refunds',
  version,
  by: 'package',
  fields: [
    ['payment_intent', 'pi_1'],
    ['amount', '300'],
    ['reverse_transfer', 'true'],
    ['metadata[prokura_key]', 'k'],
    ['expand[0]', 'charge'],
  ],
  status: 200,
  body: refund,
} as const

function heard(change: object): readonly string[] {
  const judge = openJudge(descriptionPath)
  judge.hear({ ...honest, ...change })
  return judge.differences
}

test('what is as described differs in nothing', () => {
  expect(heard({})).toEqual([])
})

test.each<[string, object, RegExp]>([
  ['an unknown parameter', { fields: [['amount_minor', '300']] }, /request has no amount_minor/],
  ['an unknown part of one', { fields: [['metadata[a][b]', '1']] }, /request\.metadata\.\* is an object/],
  [
    'a number that is none',
    { fields: [['amount', '3.00 USD']] },
    /request\.amount is "3\.00 USD" and not a number/,
  ],
  ['a flag that is none', { fields: [['reverse_transfer', 'yes']] }, /request\.reverse_transfer is "yes"/],
  [
    'a value that is not in the list',
    { fields: [['reason', 'bored']] },
    /request\.reason is "bored" and not duplicate/,
  ],
  [
    'a parameter that has to be there',
    { operation: 'POST /v1/transfers', fields: [], body: null },
    /request lacks currency/,
  ],
  ['a field too few', { body: { ...refund, charge: undefined } }, /answer lacks charge/],
  ['a field too many', { body: { ...refund, amount_refunded: 1 } }, /answer has no amount_refunded/],
  [
    'a null where none may be',
    { body: { ...refund, currency: null } },
    /answer\.currency is null and not a string/,
  ],
  ['another object', { body: { ...refund, object: 'charge' } }, /answer\.object is "charge" and not refund/],
  [
    'part of an expanded object',
    { body: { ...refund, charge: { id: 'ch_1', object: 'charge' } } },
    /answer\.charge lacks /,
  ],
  ['another version', { version: '2020-08-27' }, /it names the version 2020-08-27/],
  ['no version, of the package', { version: undefined }, /it names the version undefined/],
  [
    'an error in other words',
    { status: 400, body: { error: { type: 'oops' } } },
    /answer\.error\.type is "oops"/,
  ],
  ['an operation that is not kept', { operation: 'POST /v1/charges' }, /no such operation/],
])('notices %s', (_, change, expected) => {
  expect(heard(change)).toEqual(expect.arrayContaining([expect.stringMatching(expected)]))
})

test('what the package that is installed says is what is kept; renew it by `node sandbox/test/stripe/renew-description.ts`', () => {
  const { kept, cut } = descriptions()
  expect(cut === kept).toBe(true)
})

test('a simulator that heard a difference tells it, and does not end without a word', async () => {
  await stripe.refunds.list({ limit: 1 }, { apiVersion: '2020-08-27' })
  const said = 'GET /v1/refunds: it names the version 2020-08-27'
  expect(await (await fetch(`${server.url}/differences`)).json()).toEqual([expect.stringContaining(said)])
  await expect(server.close()).rejects.toThrow(said)
})
