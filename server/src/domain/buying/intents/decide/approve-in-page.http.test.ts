import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { answerOn, openPage, told } from '../../../../../test/harness/approval-pages.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import { runAs } from '../../../../platform/calls/run-as.ts'
import { issueKey } from '../../../accounts/api-keys/public.ts'

const shop = 'https://shop.example'
/** Of the form of a code that somebody has typed; nobody has. */
const noCode = `pr_cvc_test_${'a'.repeat(33)}`

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

type Page = { buyer: Buyer; intent: Answer['body']; session: string }

async function newPage(card = 'visa_auto_approved', enrolled = true): Promise<Page> {
  const buyer = await newBuyer(app, { card, enrolled })
  const { body: intent } = await createPurchase(app, buyer)
  return { buyer, intent, session: await openPage(app, intent.id) }
}

const approving = ({ session, intent }: Page, more: Record<string, unknown> = {}) =>
  answerOn(app, session, { approve: true, max_allowed_amount: intent.max_allowed_amount, ...more })

const approvedBy = async ({ intent }: Page) =>
  (await app.get(`/v1/purchase_intents/${intent.id}`)).body.approval.approved_by

const faultsOf = ({ body }: Answer): string[] =>
  body.detail.map(({ loc }: { loc: string[] }) => loc.slice(1).join('.'))

test('a page says the cap that was seen, and takes only what somebody has typed or proven to a component', async () => {
  const page = await newPage()
  const bare = await answerOn(app, page.session, {
    approve: true,
    temporary_cvc_token_id: 'cvc_3_digit',
    payment_verification: { method: 'otp', code: '123456' },
  })
  expect([bare.status, faultsOf(bare)]).toEqual([
    422,
    ['max_allowed_amount', 'temporary_cvc_token_id', 'payment_verification'],
  ])
  for (const payment_verification of [
    { method: 'otp', code: '123456' },
    { method: 'otp', code: '123456', assertion: 'pv_test' },
    { method: 'passkey', assertion: 'made' },
    { method: 'popup' },
  ]) {
    const answer = await approving(page, { payment_verification })
    expect([answer.status, faultsOf(answer)]).toEqual([422, ['payment_verification']])
  }
  const server = await app.post(`/v1/purchase_intents/${page.intent.id}/approve`, {
    approve: true,
    temporary_cvc_token_id: 'cvc_3_digit',
  })
  expect([told(server), await approvedBy(page)]).toEqual([200, 'person'])
})

test.each([
  ['visa_auto_approved', true, 'cvc'],
  ['visa_ineligible', false, 'cvc'],
])('on a page a card %s (enrolled: %s) is proven by its %s', async (card, enrolled, method) => {
  const page = await newPage(card, enrolled)
  for (const proof of [
    {},
    { temporary_cvc_token_id: noCode },
    { agentic_credentials_preference: 'prefer' },
  ]) {
    const answer = await approving(page, proof)
    expect([told(answer), answer.body.detail.next_action?.method]).toEqual([
      [409, 'payment_verification_required'],
      method,
    ])
  }
  expect(await approvedBy(page)).toBeNull()
})

test('a price that has risen is approved on a page with a proof of its own', async () => {
  const page = await newPage()
  const { id, max_allowed_amount, expected_amount } = page.intent
  const proposal = {
    cart_id: 'cart_x',
    units: [],
    cart_expected_amount: expected_amount,
    cart_max_allowed_amount: max_allowed_amount,
    cart_tax_allowance: 0,
    expected_amount,
    max_allowed_amount,
    tax_allowance: 0,
  }
  await app.sql('update purchase_intents set reapproval = $2 where id = $1', [id, JSON.stringify(proposal)])
  const session = await openPage(app, id)
  const answer = await approving({ ...page, session })
  expect(told(answer)).toEqual([409, 'payment_verification_required'])
})

test.each([
  ['name', { first_name: 'Grace' }],
  ['e-mail', { email: 'other@example.com' }],
  ['phone', { phone: '+4930123456' }],
])('what was changed after the terms were shown is not approved: %s', async (_what, change) => {
  const page = await newPage()
  await app.post(`/v1/profiles/${page.buyer.profileId}`, change)
  expect(told(await approving(page))).toEqual([409, 'approval_stale'])
  // Who loads the page again sees the change, and is asked for the proof.
  const session = await openPage(app, page.intent.id)
  expect(told(await approving({ ...page, session }))).toEqual([409, 'payment_verification_required'])
  expect(told(await answerOn(app, page.session, { approve: false }))).toBe(200)
})

test('a billing address that was changed after the terms were shown makes them stale', async () => {
  const page = await newPage()
  const stale = [409, 'approval_stale']
  const address = `/v1/profiles/${page.buyer.profileId}/addresses/${page.buyer.addressId}`
  await app.post(address, { line1: 'Elsewhere 2' })
  expect(told(await approving(page))).toEqual(stale)
})

async function addByPage(profileId: string, client_secret?: string): Promise<string> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const { token: publishable_key } = await runAs(
    app.parts,
    { tenant, actor: { type: 'system', id: 'test' } },
    async (ctx) =>
      issueKey(ctx, {
        kind: 'publishable',
        name: 'page',
        preset: 'full',
        clientSecrets: 'optional',
        capabilities: ['elements'],
        origins: [shop],
        expiresAt: null,
      }),
  )
  const begun = { publishable_key, component: 'AddPaymentMethod' }
  const { body } = await app.request('POST', '/elements/v1/bootstraps', {
    key: null,
    headers: { origin: shop },
    body: begun,
  })
  const opened = await app.request('POST', '/elements/v1/sessions', {
    key: null,
    body: {
      ...begun,
      bootstrap: body.bootstrap,
      profile_id: profileId,
      ...(client_secret === undefined ? {} : { client_secret }),
    },
  })
  const added = await app.request('POST', '/elements/v1/payment_methods', {
    key: opened.body.session,
    body: { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_ineligible' } },
  })
  return added.body.id
}

test('a card that anybody may have added proves nothing on a page, and one that the account vouches for does', async () => {
  const page = await newPage()
  const { profileId } = page.buyer
  const bare = await addByPage(profileId)
  const refused = await approving(page, { profile_payment_method_id: bare, temporary_cvc_token_id: noCode })
  expect([told(refused), refused.body.detail.next_action.type]).toEqual([
    [409, 'payment_verification_required'],
    'select_payment_method',
  ])
  const { client_secret } = (
    await app.post('/v1/elements/client_secrets', { profile_id: profileId, components: ['AddPaymentMethod'] })
  ).body
  const vouched = await addByPage(profileId, client_secret)
  const asked = await approving(page, { profile_payment_method_id: vouched })
  expect(asked.body.detail.next_action).toMatchObject({ type: 'verify_payment', method: 'cvc' })
  // The account's own server may let any card pay.
  const server = await app.post(`/v1/purchase_intents/${page.intent.id}/approve`, {
    approve: true,
    profile_payment_method_id: bare,
    temporary_cvc_token_id: 'cvc_3_digit',
  })
  expect(told(server)).toBe(200)
})

test('declining on a page needs no proof and no cap', async () => {
  const page = await newPage()
  const answer = await answerOn(app, page.session, { approve: false })
  expect([told(answer), answer.body.status]).toEqual([200, 'declined'])
})
