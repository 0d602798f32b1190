import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../../test/harness/app.ts'
import { type Buyer, type Buying, startBuying } from '../../../../test/harness/buying.ts'
import {
  askForToken,
  openTokenShop,
  type TokenShop,
  tokenBody,
  waiting,
} from '../../../../test/harness/token-purchases.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { issueBoundKey } from '../../accounts/api-keys/public.ts'

let buying: Buying
let buyer: Buyer
let shop: TokenShop
beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  shop = await openTokenShop(buying)
})
afterAll(async () => {
  await shop?.close()
  await buying?.audit()
  await buying?.stop()
})

function told({ status, body }: Answer): string {
  return status < 300 ? String(status) : `${status} ${body.detail.code ?? body.detail[0].loc.join('.')}`
}

async function askFor(body: object, more: { key?: string } = {}): Promise<string> {
  const { id } = await waiting(buying, buyer, shop)
  return told(await askForToken(buying, id, body, { ...buyer, ...more }))
}

test('shows who may charge how much for what, and the token itself this once', async () => {
  const { id } = await waiting(buying, buyer, shop)
  const body = tokenBody(shop, { merchant: { domain: shop.domain }, binding: { challenge_id: 'ch~1' } })
  const answer = await askForToken(buying, id, body, buyer)
  expect(answer.status).toBe(201)
  const { token, ...shown } = answer.body
  expect(shown).toMatchObject({
    object: 'payment_token',
    purchase_intent_id: id,
    merchant: { id: shop.seller.accountId, slug: shop.slug, domain: shop.domain },
    amount: 1080,
    currency: 'USD',
    binding: { challenge_id: 'ch~1' },
    status: 'active',
  })
  expect(token).toMatch(/^vtok_test_[0-9A-Za-z]{33}$/)
  expect(token.startsWith(shown.prefix)).toBe(true)
  expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(15 * 60_000)
  expect(await buying.read(buyer, id)).toMatchObject({ carts: [{ id: shown.cart_id, channel: 'mpp' }] })
  const found = await shop.find(token)
  expect(found).toMatchObject({ binding: { challengeId: 'ch~1' }, acceptor: shop.domain, status: 'active' })
  expect(found?.credentialReference).toMatch(/^cred_/)
  expect(await shop.find(`${token.slice(0, -1)}_`)).toBeNull()
})

test('a token is stored and told nowhere: not in rows, events, replies, deliveries or logs', async () => {
  const { id } = await waiting(buying, buyer, shop)
  const headers = { 'idempotency-key': 'one-token' }
  const first = await askForToken(buying, id, tokenBody(shop), { ...buyer, headers })
  const again = await askForToken(buying, id, tokenBody(shop), { ...buyer, headers })
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toMatchObject({ id: first.body.id, prefix: first.body.prefix })
  expect(again.body).not.toHaveProperty('token')
  const names = await buying.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  expect(names.length).toBeGreaterThan(30)
  for (const { name } of names) {
    const rows = await buying.sql(`select 1 from ${name} t where t::text like '%' || $1 || '%'`, [
      first.body.token,
    ])
    expect([name, rows]).toEqual([name, []])
  }
  expect(JSON.stringify(buying.app.lines)).not.toContain(first.body.token)
  const other = await askForToken(buying, id, tokenBody(shop, { amount: 1 }), { ...buyer, headers })
  expect(told(other)).toBe('409 idempotency_key_conflict')
})

test.each<[string, (shop: TokenShop) => object, string]>([
  ['above the cap', (of) => tokenBody(of, { amount: 100_000 }), '409 payment_token_over_cap'],
  ['of nothing', (of) => tokenBody(of, { amount: 0 }), '422 body.amount'],
  ['in another currency', (of) => tokenBody(of, { currency: 'EUR' }), '422 body.currency'],
  ['of no merchant', (of) => tokenBody(of, { merchant: {} }), '422 body.merchant'],
  [
    'of a merchant with two names',
    (of) => tokenBody(of, { merchant: { slug: of.slug, domain: of.domain } }),
    '422 body.merchant',
  ],
  [
    'of a merchant that nobody knows',
    (of) => tokenBody(of, { merchant: { slug: 'nobody' } }),
    '404 not_found',
  ],
  ['bound to nothing', (of) => tokenBody(of, { binding: {} }), '422 body.binding'],
  [
    'bound to both',
    (of) => tokenBody(of, { binding: { checkout_id: 'a', challenge_id: 'b' } }),
    '422 body.binding',
  ],
  [
    'bound to what nobody can send',
    (of) => tokenBody(of, { binding: { checkout_id: 'a b' } }),
    '422 body.binding.checkout_id',
  ],
  [
    'bound to more than fits',
    (of) => tokenBody(of, { binding: { challenge_id: 'x'.repeat(256) } }),
    '422 body.binding.challenge_id',
  ],
])('a token %s is refused', async (_, body, expected) => {
  expect(await askFor(body(shop))).toBe(expected)
})

test('an amount above the cap is answered with the cap, and the cap itself is fine', async () => {
  const { id, max_allowed_amount } = await waiting(buying, buyer, shop)
  const cap = Number(max_allowed_amount)
  const over = await askForToken(buying, id, tokenBody(shop, { amount: cap + 1 }), buyer)
  expect(over.body.detail).toMatchObject({ code: 'payment_token_over_cap', max_allowed_amount: cap })
  expect(told(await askForToken(buying, id, tokenBody(shop, { amount: cap }), buyer))).toBe('201')
})

test('a merchant that does not sell all of the purchase gets no token of it', async () => {
  const other = await openTokenShop(buying)
  expect(await askFor(tokenBody(other))).toBe('409 payment_token_wrong_merchant')
  const mixed = await buying.buy(buyer, [{ url: shop.url }, { url: other.url }], {
    execution_method: 'payment_token',
  })
  expect(told(await askForToken(buying, mixed.id, tokenBody(shop), buyer))).toBe(
    '409 payment_token_wrong_merchant',
  )
  const elsewhere = await buying.buy(buyer, [{ url: 'https://shop.example/thing' }], {
    execution_method: 'payment_token',
  })
  expect(told(await askForToken(buying, elsewhere.id, tokenBody(shop), buyer))).toBe(
    '409 payment_token_wrong_merchant',
  )
  await other.close()
})

test('a merchant that has changed since gets no token', async () => {
  const other = await openTokenShop(buying)
  const { id } = await waiting(buying, buyer, other)
  await buying.sql(`update merchants set mcc = '7995', mcc_confirmed = '7995' where account_id = $1`, [
    other.seller.accountId,
  ])
  expect(told(await askForToken(buying, id, tokenBody(other), buyer))).toBe('409 merchant_changed')
  await other.close()
})

test('of an unapproved, an ended, a begun or another account’s purchase there is no token', async () => {
  const path = '/v1/purchase_intents'
  const item = { url: shop.url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }
  const body = { profile_id: buyer.profileId, items: [item], execution_method: 'payment_token' }
  const created = await buying.app.post(path, body, buyer)
  expect(told(await askForToken(buying, created.body.id, tokenBody(shop), buyer))).toBe(
    '409 payment_token_not_available',
  )
  await buying.app.post(`${path}/${created.body.id}/approve`, { approve: false }, buyer)
  expect(told(await askForToken(buying, created.body.id, tokenBody(shop), buyer))).toBe(
    '409 payment_token_not_available',
  )
  const begun = await buying.buy(buyer, [{ url: shop.url }])
  await buying.until(buyer, begun.id, ({ carts }) => carts.length > 0)
  expect(told(await askForToken(buying, begun.id, tokenBody(shop), buyer))).toBe(
    '409 payment_token_not_available',
  )
  await buying.app.post(`${path}/${begun.id}/cancel`, {}, buyer)
  const theirs = { key: buying.app.stranger.keys.secret_test }
  const { id } = await waiting(buying, buyer, shop)
  expect(told(await askForToken(buying, id, tokenBody(shop), theirs))).toBe('404 not_found')
  const live = { key: buyer.account.keys.secret_live }
  expect(told(await askForToken(buying, id, tokenBody(shop), live))).toBe('404 not_found')
})

test('an agent that proposes purchases makes no tokens, and a key that was revoked makes none either', async () => {
  const agent = await buying.app.newKey(buyer.account, 'test', 'buyer_agent')
  expect(await askFor(tokenBody(shop), { key: agent.token })).toBe('403 insufficient_scope')
  const gone = await buying.app.newKey(buyer.account, 'test', 'full')
  await buying.sql('update api_keys set revoked_at = now() where id = $1', [gone.id])
  expect(await askFor(tokenBody(shop), { key: gone.token })).toBe('401 unauthorized')
})

test('an agent that makes no tokens cannot ask for a purchase that waits for one, by no surface', async () => {
  const item = { url: shop.url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }
  const body = { profile_id: buyer.profileId, items: [item], execution_method: 'payment_token' }
  const { token: key } = await buying.app.newKey(buyer.account, 'test', 'buyer_agent')
  const asked = (args: Record<string, unknown>, as: object) =>
    Promise.all([
      buying.app.post('/v1/purchase_intents', args, as),
      buying.app.post('/v1/purchase_intents/preview', args, as),
      buying.app.mcp('v1_create_purchase_intent', args, as),
    ])
  for (const answer of await asked(body, { key })) {
    expect(answer.status).toBe(403)
    expect(answer.body.detail).toMatchObject({
      code: 'insufficient_scope',
      param: 'execution_method',
      message: expect.stringContaining('Leave `execution_method` out'),
    })
  }
  const by = (execution_method: string) => ({ ...body, execution_method })
  for (const answer of await asked(by('automatic'), { key }))
    expect(answer.body.summary ?? '').not.toContain('token')
  const [made] = await asked(body, buyer)
  expect(made.body.summary).toContain(
    'Then the program that pays the merchant must make a payment token of it.',
  )
})

test('an agent of one profile makes no tokens, not even of its own purchases', async () => {
  const tenant = { accountId: buyer.account.accountId, mode: 'test' } as const
  const { token: key } = await runAs(
    buying.app.parts,
    { tenant, actor: { type: 'system', id: 'test' } },
    (ctx) =>
      issueBoundKey(ctx, {
        kind: 'secret',
        name: 'agent',
        preset: 'buyer_agent',
        profileId: buyer.profileId,
      }),
  )
  const { id } = await waiting(buying, buyer, shop)
  expect(told(await askForToken(buying, id, tokenBody(shop), { key }))).toBe('403 insufficient_scope')
})

test('a purchase that policies allow waits for its token as well', async () => {
  const own = await buying.newBuyer()
  const policy = {
    name: 'Unattended',
    currency: 'USD',
    scope: { profile_ids: [own.profileId] },
    limits: { intervals: [{ interval: 'day', max_amount: 10_000 }] },
    approval: { mode: 'never' },
  }
  const { body } = await buying.app.post('/v1/policies', policy, own)
  const intent = await waiting(buying, own, shop)
  expect(intent).toMatchObject({ status: 'queued', carts: [], approval: { approved_by: 'policy' } })
  expect(told(await askForToken(buying, intent.id, tokenBody(shop), own))).toBe('201')
  await buying.app.post(`/v1/policies/${body.id}/archive`, undefined, own)
})

test('what is frozen makes no token, and no order can use a token that was out before', async () => {
  const own = await buying.newBuyer()
  const before = await waiting(buying, own, shop)
  const made = await askForToken(buying, before.id, tokenBody(shop), own)
  const { id } = await waiting(buying, own, shop)
  const target = { target: { type: 'profile', id: own.profileId } }
  expect((await buying.app.post('/v1/controls/freeze', target, own)).status).toBe(200)
  expect(told(await askForToken(buying, id, tokenBody(shop), own))).toBe('409 frozen')
  const found = await shop.find(made.body.token)
  expect(found && (await shop.claim(found))).toEqual({ kind: 'refused', reason: 'frozen' })
  expect((await buying.app.post('/v1/controls/unfreeze', target, own)).status).toBe(200)
  expect(told(await askForToken(buying, id, tokenBody(shop), own))).toBe('201')
  expect(found && (await shop.claim(found))).toMatchObject({ kind: 'claimed' })
})

test('the tool makes the same token as the call', async () => {
  const [one, two] = [await waiting(buying, buyer, shop), await waiting(buying, buyer, shop)]
  const rest = await askForToken(buying, one.id, tokenBody(shop), buyer)
  const args = { purchase_intent_id: two.id, ...tokenBody(shop) }
  const tool = await buying.app.mcp('v1_create_purchase_intent_payment_token', args, buyer)
  expect([tool.status, Object.keys(tool.body).sort()]).toEqual([201, Object.keys(rest.body).sort()])
  expect(await shop.find(tool.body.token)).toMatchObject({ id: tool.body.id, status: 'active' })
})

test('a preview, the purchase and the list say how it is bought', async () => {
  const item = { url: shop.url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }
  const body = { profile_id: buyer.profileId, items: [item] }
  const preview = (more: object) =>
    buying.app.post('/v1/purchase_intents/preview', { ...body, ...more }, buyer)
  expect((await preview({})).body.execution_method).toBe('automatic')
  expect((await preview({ execution_method: 'payment_token' })).body.execution_method).toBe('payment_token')
  const { id, summary } = await waiting(buying, buyer, shop)
  expect(summary).toBe(
    `May be bought: 1 item from ${shop.domain} for at most $14.70. The program that pays the merchant must make a payment token of it within 7 days, or it is cancelled. Nothing is charged yet.`,
  )
  const { body: list } = await buying.app.get('/v1/purchase_intents?limit=1', buyer)
  expect(list.data[0]).toMatchObject({ id, execution_method: 'payment_token' })
})
