import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMppPayer, receiptIn } from '../../../test/mpp-payer.ts'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { control, controlToken, type Json, readLog, temporaryFolder } from '../../../test/run-sandbox.ts'
import { startStripe } from '../../stripe/stripe-server.ts'

const folder = temporaryFolder()
let strangers: Strangers
let stripe: Awaited<ReturnType<typeof startStripe>>
let payer: ReturnType<typeof openMppPayer>
beforeAll(async () => {
  stripe = await startStripe({ stateDir: folder.path, port: 0, controlToken })
  strangers = await openStrangers({ stripeUrl: stripe.url })
  payer = openMppPayer(strangers)
})
afterAll(async () => {
  await strangers.close()
  await stripe.close()
  folder.remove()
})

async function grant(card: string): Promise<string> {
  const answer = await fetch(`${stripe.url}/v1/test_helpers/shared_payment/granted_tokens`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox' },
    body: new URLSearchParams({
      payment_method: card,
      'usage_limits[currency]': 'usd',
      'usage_limits[max_amount]': '250',
      'usage_limits[expires_at]': String(Math.floor(Date.now() / 1000) + 600),
    }),
  })
  return JSON.parse(await answer.text()).id
}

test('both methods are offered at once, and a shared payment token pays by the one of Stripe', async () => {
  const { headers } = await payer.ask('/v1/forecast')
  expect(headers['www-authenticate']?.match(/method="\w+"/g)).toEqual([
    'method="processor"',
    'method="stripe"',
  ])
  const asked = await payer.challenge('/v1/forecast', undefined, 'stripe')
  expect(asked.terms).toMatchObject({ methodDetails: { networkId: 'profile_sandbox' } })
  const spt = await grant('pm_card_visa')
  const paid = await payer.pay('/v1/forecast', asked, { spt })
  expect([paid.status, receiptIn(paid)]).toMatchObject([200, { method: 'stripe', challengeId: asked.id }])
  const log = await readLog(stripe.url)
  expect(log.map(({ operation, amount, result }) => `${operation} ${amount} ${result}`)).toEqual([
    'confirm 250 requires_capture',
    'capture 250 succeeded',
  ])
})

test.each(['pm_card_visa_chargeDeclined', 'pm_card_authenticationRequired'])(
  '%s pays nothing',
  async (card) => {
    const asked = await payer.challenge('/v1/forecast', undefined, 'stripe')
    const refused = await payer.pay('/v1/forecast', asked, { spt: await grant(card) })
    expect(JSON.parse(refused.text)).toMatchObject({
      status: 402,
      type: expect.stringContaining('verification-failed'),
    })
  },
)

test('an answer of Stripe that is lost is found out, and the same credential once more charges nothing', async () => {
  const asked = await payer.challenge('/v1/forecast', undefined, 'stripe')
  const spt = await grant('pm_card_visa')
  await control(`${stripe.url}/control/faults`, { operation: 'capture', fault: 'lose_answer' })
  const before = (await readLog(stripe.url)).length
  for (const _ of ['first', 'again'])
    expect((await payer.pay('/v1/forecast', asked, { spt })).status).toBe(200)
  expect((await readLog(stripe.url)).slice(before).map(({ operation }) => operation)).toEqual([
    'confirm',
    'capture',
  ])
})

test('the forecast is a tool as well: it costs what the error says, and is told with a receipt', async () => {
  const call = async (params: object): Promise<Json> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    return JSON.parse((await payer.ask('/mcp', { body: JSON.stringify(message) })).text)
  }
  const given = { name: 'forecast', arguments: { city: 'Oslo' } }
  const { error } = (await call(given)) as { error: { code: number; data: { challenges: Json[] } } }
  expect(error.code).toBe(-32042)
  const [challenge] = error.data.challenges
  expect(challenge).toMatchObject({ method: 'processor', request: { amount: '250', currency: 'usd' } })
  const token = await payer.issueToken(challenge?.request as Json)
  const credential = { challenge, payload: { token } }
  const _meta = { 'org.paymentauth/credential': credential }
  expect(await call({ name: 'forecast', arguments: { city: 'Rome' }, _meta })).toMatchObject({
    error: { code: -32043 },
  })
  expect(await payer.tokenState(token)).toBe('active 0')
  expect(await call({ ...given, _meta })).toMatchObject({
    result: {
      structuredContent: { city: 'Oslo' },
      _meta: { 'org.paymentauth/receipt': { status: 'success', challengeId: challenge?.id } },
    },
  })
  expect(await payer.tokenState(token)).toBe('charged 250')
  expect(await call({ ...given, _meta: { 'org.paymentauth/credential': 7 } })).toMatchObject({
    error: { code: -32602 },
  })
})
