import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../test/harness/buyers.ts'
import type { Operation } from '../../contract/operation.ts'
import { keyLookups } from '../../domain/accounts/api-keys/key-lookups.sql.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import { createKeyDoor, type KeyDoor } from '../../platform/doors/key-door.ts'
import { createCredentials } from './credentials.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

function told({ status, headers, body }: Answer): string {
  const replayed = headers.get('idempotent-replayed') === 'true' ? ' replayed' : ''
  return status < 300 ? `${status}${replayed}` : `${status} ${body.detail.code}${replayed}`
}

async function endKey(id: string, how: string): Promise<void> {
  await app.parts.pools.single({ name: '', text: `update api_keys set ${how} where id = $1`, values: [id] })
}

test('a key that was revoked, has expired, or was never issued opens nothing; the same key opened before', async () => {
  for (const how of ['revoked_at = now()', `expires_at = now() - interval '1 second'`]) {
    const live = await app.newKey(app.account, 'test', 'full')
    expect(told(await app.get('/v1/profiles', { key: live.token }))).toBe('200')
    const ended = await app.newKey(app.account, 'test', 'full')
    await endKey(ended.id, how)
    expect(told(await app.get('/v1/profiles', { key: ended.token }))).toBe('401 unauthorized')
  }
  const unknown = `pr_sk_test_${'x'.repeat(33)}`
  expect(told(await app.get('/v1/profiles', { key: unknown }))).toBe('401 unauthorized')
})

test('a key that nobody issued is refused also where no key is needed', async () => {
  const keyDoor = { open: () => null } as unknown as KeyDoor // nothing else is asked of it
  const credentials = createCredentials({
    ...app.parts,
    keyDoor,
    anonymousDiscovery: true,
    onBug: () => undefined,
  })
  const open = { auth: 'optional' } as Operation
  const told = await credentials.authenticate(open, {
    authorization: `Bearer pr_sk_test_${'x'.repeat(33)}`,
    origin: undefined,
    signed: null,
  })
  expect(told).toMatchObject({ code: 'unauthorized' })
  expect(
    await credentials.authenticate(open, { authorization: undefined, origin: undefined, signed: null }),
  ).toMatchObject({
    actor: { type: 'anonymous' },
  })
})

test('where nobody may search without a key, a page still may with its own', async () => {
  const page = 'https://shop.example'
  const { token } = await app.newKey(app.account, 'test', 'full', 'publishable')
  await app.sql('update api_keys set origins = $2 where account_id = $1', [app.account.accountId, [page]])
  const credentials = createCredentials({
    ...app.parts,
    keyDoor: createKeyDoor(app.parts, keyLookups),
    anonymousDiscovery: false,
    onBug: () => undefined,
  })
  const open = { auth: 'optional' } as Operation
  const shown = { origin: page, signed: null }
  expect(await credentials.authenticate(open, { ...shown, authorization: undefined })).toMatchObject({
    code: 'unauthorized',
  })
  const opened = await credentials.authenticate(open, { ...shown, authorization: `Bearer ${token}` })
  expect(opened).toMatchObject({ kind: 'page', tenant: { mode: 'test' }, profileId: null })
  expect([...(opened as Principal).scopes].sort()).toEqual(['catalog:read', 'registry:read'])
})

test('an idempotency key means the object in the path, too', async () => {
  const headers = { 'idempotency-key': 'cancel-1' }
  const [one, other] = [await createPurchase(app, buyer), await createPurchase(app, buyer)]
  expect(told(await app.post(`/v1/purchase_intents/${one.body.id}/cancel`, {}, { headers }))).toBe('200')
  const again = await app.post(`/v1/purchase_intents/${other.body.id}/cancel`, {}, { headers })
  expect(told(again)).toBe('409 idempotency_key_conflict')
  expect((await app.get(`/v1/purchase_intents/${other.body.id}`)).body.status).toBe('awaiting_approval')
})

test('an idempotency key replays nothing of another operation, another account or the other mode', async () => {
  const headers = { 'idempotency-key': 'cancel-2' }
  const { body } = await createPurchase(app, buyer)
  const cancel = `/v1/purchase_intents/${body.id}/cancel`
  expect(told(await app.post(cancel, {}, { headers }))).toBe('200')
  expect(told(await app.post(cancel, {}, { headers }))).toBe('200 replayed')
  const retry = await app.post(`/v1/purchase_intents/${body.id}/retry`, {}, { headers })
  expect(told(retry)).toBe('409 not_retryable')
  for (const key of [app.stranger.keys.secret_test, app.account.keys.secret_live]) {
    expect(told(await app.post(cancel, {}, { headers, key }))).toBe('404 not_found')
  }
})
