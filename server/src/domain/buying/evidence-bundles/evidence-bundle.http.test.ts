import { createPublicKey, verify } from 'node:crypto'
import { createRemoteJWKSet, flattenedVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import { endByHand, runningPurchase } from '../../../../test/harness/hand-worker.ts'
import { pageEvidence, pngOf } from '../../../../test/harness/pictures.ts'
import type { Id } from '../../../core/id.ts'
import { advanceTestClock, installTestClock } from '../../../platform/clock/test-clock.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { defaultRetention } from '../../../platform/retention/retention.ts'
import { runSweep } from '../../../platform/retention/run-sweep.ts'
import { verifyFlattened } from '../../../platform/signatures/flattened-jws.ts'
import { createSigningKeys, removeSigningKey } from '../../../platform/signatures/signing-keys.ts'
import { sweepEvidence } from '../evidence/evidence.sql.ts'
import { recordEvidence } from '../evidence/public.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

const typ = 'prokura-evidence-bundle+json'
const pathOf = (id: string) => `/v1/purchase_intents/${id}/evidence_bundle`
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const keySet = async (): Promise<any> =>
  ((await (await fetch(`${app.url}/.well-known/jwks.json`)).json()) as { keys: unknown }).keys

async function signed(id: string): Promise<Answer['body']> {
  const { status, body } = await app.get(pathOf(id))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const read = ({ payload }: { payload: string }): any =>
  JSON.parse(Buffer.from(payload, 'base64url').toString())

async function bundle(id: string) {
  return read(await signed(id))
}

/** As the worker does that holds the first cart. */
async function takePicture(purchase: { id: string; carts: string[] }, text: string) {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const { parts } = app
  const now = await parts.clock.now()
  const kept = await recordEvidence(
    {
      single: async (statement) => (await parts.pools.single(statement)).rows,
      sealer: parts.sealer(tenant),
      newId: (prefix) => parts.newId(prefix, now.getTime()),
    },
    tenant,
    {
      intentId: purchase.id as Id<'pi'>, // the ids that the API and the worker by hand have made
      cartId: purchase.carts[0] as Id<'cart'>,
      attempt: 1,
      leaseToken: 0n,
    },
    pageEvidence({ picture: pngOf(text) }),
  )
  expect(kept).toBe('kept')
}

test('a stranger’s library verifies it by the published keys, and so does the arithmetic of the signature alone', async () => {
  const { id } = await runningPurchase(app, buyer)
  const { object, mode, purchase_intent_id, ...jws } = await signed(id)
  expect([object, mode, purchase_intent_id]).toEqual(['evidence_bundle', 'test', id])
  const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`))
  const verified = await flattenedVerify(jws, keys, { algorithms: ['ES256'] })
  expect(verified.protectedHeader).toEqual({ alg: 'ES256', kid: expect.any(String), typ })
  expect(JSON.parse(new TextDecoder().decode(verified.payload))).toMatchObject({
    format: typ,
    format_version: 1,
    purchase: { id },
    made_by: { key_set: expect.stringMatching(/\/\.well-known\/jwks\.json$/) },
  })
  const [jwk] = (await keySet()).filter(({ kid }: { kid: string }) => kid === verified.protectedHeader?.kid)
  const isRight = verify(
    'sha256',
    Buffer.from(`${jws.protected}.${jws.payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(jws.signature, 'base64url'),
  )
  expect(isRight).toBe(true)
})

test('one changed letter is found, wherever it stands', async () => {
  const { id } = await runningPurchase(app, buyer)
  const jws = await signed(id)
  const keys = await keySet()
  expect(verifyFlattened(jws, keys, typ).ok).toBe(true)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const missed: string[] = []
  for (const part of ['payload', 'protected', 'signature'] as const) {
    const text: string = jws[part]
    // Every place of the short parts, and some hundred of the payload, its ends among them.
    const step = Math.max(1, Math.floor(text.length / 300))
    const places = [...Array(text.length).keys()].filter((at) => at % step === 0 || at > text.length - 4)
    for (const at of places)
      for (const letter of [alphabet[(alphabet.indexOf(text[at] ?? '') + 1) % 64], '=', '']) {
        const changed = { ...jws, [part]: text.slice(0, at) + letter + text.slice(at + 1) }
        if (verifyFlattened(changed, keys, typ).ok) missed.push(`${part} ${at} ${letter}`)
      }
  }
  expect(missed).toEqual([])
  expect(verifyFlattened(jws, keys, 'another+json')).toMatchObject({ fault: 'wrong_type' })
  expect(verifyFlattened(jws, [], typ)).toMatchObject({ fault: 'unknown_key' })
})

test('what a header says of itself decides nothing: no other algorithm, no key of its own, no extension', async () => {
  const { id } = await runningPurchase(app, buyer)
  const jws = await signed(id)
  const keys = await keySet()
  const [{ kid }] = keys
  for (const header of [
    { alg: 'none', kid, typ },
    { alg: 'HS256', kid, typ },
    { alg: 'ES256', typ, jwk: keys[0] },
    { alg: 'ES256', kid, typ, crit: ['b64'], b64: false },
    ['ES256', kid, typ],
  ]) {
    const forged = { ...jws, protected: Buffer.from(JSON.stringify(header)).toString('base64url') }
    expect(verifyFlattened(forged, keys, typ)).toMatchObject({ ok: false, fault: 'malformed' })
  }
})

test('the same purchase at the same state is the same payload, apart from when it was made', async () => {
  const purchase = await runningPurchase(app, buyer)
  await takePicture(purchase, 'a page')
  const first = await bundle(purchase.id)
  await advanceTestClock(app.databaseUrl, 3_600)
  const later = await signed(purchase.id)
  const { made_at, ...rest } = read(later)
  expect(Date.parse(made_at) - Date.parse(first.made_at)).toBeGreaterThanOrEqual(3_600_000)
  expect({ made_at: first.made_at, ...rest }).toEqual(first)
  // The members are in one order, whatever wrote them.
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .sort()
              .map(([name, one]) => [name, sorted(one)]),
          )
        : value
  expect(Buffer.from(later.payload, 'base64url').toString()).toBe(JSON.stringify(sorted(read(later))))
  await endByHand(app, purchase.id, [{ cart: 0, status: 'failed' }])
  expect((await bundle(purchase.id)).purchase.status).toBe('failed')
})

test('the terms are those that were agreed to: items, prices, cap, the person and the address', async () => {
  const own = await newBuyer(app)
  const { id } = await runningPurchase(app, own)
  const before = await bundle(id)
  expect(before.terms).toMatchObject({
    items: [{ url: 'https://www.shop.example/tea', quantity: 2, expected_amount: 1000 }],
    expected_amount: 2000,
    max_allowed_amount: expect.any(Number),
    fulfillment: {
      method: 'ship',
      ship_to: { line1: 'Unter den Linden 1', city: 'Berlin', postal_code: '10117', country: 'DE' },
    },
    buyer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
  })
  const path = `/v1/profiles/${own.profileId}`
  const moved = await app.post(path, { first_name: 'Grace' })
  expect([moved.status, moved.body.first_name]).toEqual([200, 'Grace'])
  expect((await bundle(id)).terms).toEqual(before.terms)
})

test('it says who approved, when, at which cap, and by which key; and that nobody has', async () => {
  const { body } = await createPurchase(app, buyer)
  const waiting = await bundle(body.id)
  expect(waiting.decision).toMatchObject({ approval_required: true, approvals: [], card_proof: null })
  expect(waiting.terms.buyer).toBeNull()
  await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  const { decision } = await bundle(body.id)
  const purchase = (await app.get(`/v1/purchase_intents/${body.id}`)).body
  expect(decision.approvals).toEqual([
    {
      event_id: expect.stringMatching(/^evt_/),
      approved_by: 'person',
      approved_at: purchase.approval.approved_at,
      actor: { type: 'api_key', id: expect.stringMatching(/^agent_/) },
      currency_code: 'EUR',
      expected_amount: 2000,
      max_allowed_amount: purchase.max_allowed_amount,
    },
  ])
  expect(decision.policy_decision).toEqual(purchase.policy_decision)
  const other = await createPurchase(app, buyer)
  await app.post(`/v1/purchase_intents/${other.body.id}/approve`, { approve: false })
  const declined = await bundle(other.body.id)
  expect([declined.purchase.status, declined.decision.approvals]).toEqual(['declined', []])
  expect(declined.events.at(-1)).toMatchObject({
    type: 'purchase_intent.declined',
    actor: { type: 'api_key' },
  })
})

test('a purchase that a policy allowed names the rules, and no person', async () => {
  const own = await newBuyer(app)
  const policy = await app.post('/v1/policies', {
    name: 'Groceries',
    currency: 'EUR',
    limits: { per_transaction_max: 50_000 },
    approval: { mode: 'never' },
  })
  expect(policy.status, JSON.stringify(policy.body)).toBe(201)
  const { body } = await createPurchase(app, own, { policy_id: policy.body.id })
  const { decision } = await bundle(body.id)
  expect(decision.policy_decision.evaluated).toEqual(
    expect.arrayContaining([expect.objectContaining({ policy_id: policy.body.id })]),
  )
  expect(decision.approvals).toMatchObject([
    { approved_by: 'policy', approved_at: body.approval.approved_at, actor: { type: 'api_key' } },
  ])
  expect(body.approval.approved_by).toBe('policy')
  await app.post(`/v1/policies/${policy.body.id}/archive`)
})

test.each([
  ['cvc', 'visa_auto_approved', false, { temporary_cvc_token_id: 'cvc_3_digit' }],
  ['otp', 'visa_otp_required', true, { payment_verification: { method: 'otp', code: '123456' } }],
  [null, 'visa_auto_approved', true, {}],
] as const)(
  'a card that was proven by %s is shown with that kind of proof, and with no code',
  async (kind, card, enrolled, proof) => {
    const own = await newBuyer(app, { card, enrolled })
    if (kind === 'otp') {
      const method = `/v1/profiles/${own.profileId}/payment_methods/${own.paymentMethodId}`
      await app.post(`${method}/verify`, { method: 'otp', code: '123456' })
    }
    const { body } = await createPurchase(app, own)
    const approved = await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true, ...proof })
    expect(approved.status, JSON.stringify(approved.body)).toBe(200)
    const said = await bundle(body.id)
    const paidBy = { id: own.paymentMethodId, brand: 'visa', last4: expect.stringMatching(/^\d{4}$/) }
    expect(said.decision.card).toEqual(paidBy)
    expect(said.decision.card_proof).toEqual(
      kind && { kind, proven_at: approved.body.approval.approved_at, card: paidBy },
    )
    expect(JSON.stringify(said)).not.toMatch(/cvc_3_digit|123456|vault|\b\d{13,19}\b/)
    // The card is deleted, and what is left of the proof itself is swept: a bank asks later than that.
    await app.request('DELETE', `/v1/profiles/${own.profileId}/payment_methods/${own.paymentMethodId}`)
    await app.sql('delete from payment_verifications')
    expect((await bundle(body.id)).decision).toEqual(said.decision)
  },
)

test('pictures are named by their digests, and still are once they are deleted', async () => {
  const purchase = await runningPurchase(app, buyer)
  await takePicture(purchase, 'the page with the button')
  const [picture] = (await app.get(`/v1/purchase_intents/${purchase.id}/evidence`)).body.data
  const before = await bundle(purchase.id)
  expect(before.carts[0].pictures).toEqual([
    {
      id: picture.id,
      attempt_number: 1,
      stage: 'review',
      at: '2026-11-26T12:00:00.000Z',
      url_host: 'classic.shop.test',
      media_type: 'image/png',
      bytes: picture.bytes,
      sha256: picture.sha256,
    },
  ])
  await advanceTestClock(app.databaseUrl, 31 * 86_400)
  await runSweep({ ...app.parts, log: silentLog(), retention: defaultRetention }, sweepEvidence)
  expect((await app.get(`/v1/purchase_intents/${purchase.id}/evidence`)).body.total).toBe(0)
  expect((await bundle(purchase.id)).carts).toEqual(before.carts)
})

test('a purchase that failed says why, and every event stands with the digest of the audit chain', async () => {
  const purchase = await runningPurchase(app, buyer)
  await endByHand(app, purchase.id, [{ cart: 0, status: 'failed' }])
  const said = await bundle(purchase.id)
  expect(said.purchase).toMatchObject({ status: 'failed', failure_reason: { code: 'payment_declined' } })
  expect(said.carts[0]).toMatchObject({ status: 'failed', failure_reason: { code: 'payment_declined' } })
  const listed = (await app.get(`/v1/purchase_intents/${purchase.id}/events?limit=200`)).body.data
  expect(said.events.map(({ sha256: _, ...event }: { sha256: string }) => event)).toEqual(
    listed.map(({ id, type, sequence, created_at, actor, cart_id }: Record<string, unknown>) => ({
      id,
      type,
      sequence,
      created_at,
      actor,
      ...(cart_id === undefined ? {} : { cart_id }),
    })),
  )
  const digests = said.events.map(({ sha256 }: { sha256: string }) => sha256)
  expect(new Set(digests).size).toBe(listed.length)
  // An event that is changed where it is stored has another digest, as the chain sees it.
  await app.sql(`update event_rows set actor_id = 'agent_other' where id = $1`, [listed[2].id])
  const after = (await bundle(purchase.id)).events.map(({ sha256 }: { sha256: string }) => sha256)
  expect(after.map((digest: string, at: number) => digest === digests[at])).toEqual(
    listed.map((_: unknown, at: number) => at !== 2),
  )
})

test('what the caller keeps with a purchase, and the page on which a person is asked, are not in it', async () => {
  const { body } = await createPurchase(app, buyer, { metadata: { note: 'internal canary' } })
  await app.post(`/v1/purchase_intents/${body.id}/approval_links`, {})
  expect(JSON.stringify(await bundle(body.id))).not.toMatch(/canary|pr_al_|pr_sk_|next_action/)
})

test('a tool answers what REST answers', async () => {
  const { id } = await runningPurchase(app, buyer)
  const rest = await signed(id)
  const tool = await app.mcp('v1_get_purchase_intent_evidence_bundle', { purchase_intent_id: id })
  expect([tool.status, Object.keys(tool.body)]).toEqual([200, Object.keys(rest)])
  const { made_at: _, ...said } = read(rest)
  expect(read(tool.body)).toMatchObject(said)
  expect(verifyFlattened(tool.body, await keySet(), typ).ok).toBe(true)
})

test('only a key with every scope reads it, and nobody finds the purchase of another account or of the other mode', async () => {
  const { id } = await runningPurchase(app, buyer)
  const codeOf = async (path: string, key: string) => {
    const { status, body } = await app.get(path, { key })
    return `${status} ${body.detail?.code}`
  }
  for (const preset of ['read_only', 'buyer_agent', 'merchant_backend', 'discovery'] as const) {
    const { token } = await app.newKey(app.account, 'test', preset)
    expect([preset, await codeOf(pathOf(id), token)]).toEqual([preset, '403 insufficient_scope'])
  }
  for (const key of [app.stranger.keys.secret_test, app.account.keys.secret_live])
    expect(await codeOf(pathOf(id), key)).toBe('404 not_found')
  expect(await codeOf(pathOf('pi_01jb2w9m4ye6xs3kq8t7v5c0zd'), app.account.keys.secret_test)).toBe(
    '404 not_found',
  )
  expect(await codeOf(pathOf(id), app.account.keys.secret_test)).toBe('200 undefined')
})

test('a bundle is verified long after its key was replaced, and no more once that key was taken away', async () => {
  const { id } = await runningPurchase(app, buyer)
  const jws = await signed(id)
  const { kid } = JSON.parse(Buffer.from(jws.protected, 'base64url').toString())
  await advanceTestClock(app.databaseUrl, 91 * 86_400)
  await app.parts.signingKeys.lasting()
  await advanceTestClock(app.databaseUrl, 91 * 86_400)
  const lasting = () => createSigningKeys(app.parts).lasting()
  expect(verifyFlattened(jws, await lasting(), typ).ok).toBe(true)
  await removeSigningKey(app.parts, kid)
  expect(verifyFlattened(jws, await lasting(), typ)).toMatchObject({ fault: 'unknown_key', kid })
})
