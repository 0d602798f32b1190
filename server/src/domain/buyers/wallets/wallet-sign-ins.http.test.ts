import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { openComponentPage } from '../../../../test/harness/component-page.ts'
import { startLink } from '../../../../test/harness/link.ts'
import { person } from '../../../../test/harness/person.ts'
import { createEgress, type Egress } from '../../../platform/egress/egress.ts'
import { createWalletKeeper } from '../../../rails/link/sign-in.ts'
import { openWalletTokens } from './wallet-tokens.ts'

/** Link is its simulator. */
let app: TestApp
let link: Awaited<ReturnType<typeof startLink>>
let egress: Egress
let keeper: ReturnType<typeof createWalletKeeper>

beforeAll(async () => {
  link = await startLink()
  egress = createEgress({ allowLoopback: () => false, trustedOrigins: [link.url] })
  keeper = createWalletKeeper({ url: link.url, loginUrl: link.url, clientId: 'lwlpk_test', egress })
  app = await startTestApp({ walletKeeper: keeper, limits: { profileSetups: 4 } })
})
afterAll(async () => {
  await app?.stop()
  await egress?.close()
  await link?.stop()
})

async function newProfile(account: TestAccount = app.account) {
  const key = account.keys.secret_live
  const profileId: string = (await app.post('/v1/profiles', person, { key })).body.id
  const at = `/v1/profiles/${profileId}`
  return {
    profileId,
    key,
    begin: () => app.post(`${at}/wallet_sign_ins`, undefined, { key }),
    complete: (id: string, as = key) =>
      app.post(`${at}/wallet_sign_ins/${id}/complete`, undefined, { key: as }),
    remove: (id: string) => app.request('DELETE', `${at}/payment_methods/${id}`, { key }),
    list: async () => (await app.get(`${at}/payment_methods`, { key })).body.data,
  }
}

/** A profile whose person has signed in. */
async function signedIn() {
  const profile = await newProfile()
  const { body } = await profile.begin()
  await link.say(body.url, 'yes')
  return { ...profile, signIn: String(body.id), code: String(body.user_code) }
}

async function walletOf(profileId: string): Promise<string> {
  const [row] = await app.sql<{ kept_customer: string }>(
    'select kept_customer from payment_methods where profile_id = $1',
    [profileId],
  )
  return row?.kept_customer ?? ''
}

const asked = { mode: 'live', timeoutMs: 3_000 } as const

describe('a wallet of a person', () => {
  test('is a payment method once they have signed in, and not before; once, however often it is completed', async () => {
    const profile = await newProfile()
    const begun = await profile.begin()
    expect(begun.status, JSON.stringify(begun.body)).toBe(201)
    expect(Object.keys(begun.body).sort()).toEqual([
      'created_at',
      'expires_at',
      'id',
      'mode',
      'object',
      'updated_at',
      'url',
      'user_code',
    ])
    const early = await profile.complete(begun.body.id)
    expect([early.status, early.body.detail.code]).toEqual([409, 'wallet_not_signed_in'])
    await link.say(begun.body.url, 'yes')
    const added = await profile.complete(begun.body.id)
    expect([added.status, added.body]).toMatchObject([
      201,
      { type: 'link', card: null, is_default: true, next_action: null },
    ])
    const again = await profile.complete(begun.body.id)
    expect([again.status, again.body.id]).toEqual([201, added.body.id])
    expect(await profile.list()).toEqual([added.body])
  })

  test('is none where they say no, or nobody signs in within ten minutes', async () => {
    const refused = await newProfile()
    const { body } = await refused.begin()
    await link.say(body.url, 'no')
    expect((await refused.complete(body.id)).body.detail.code).toBe('wallet_sign_in_over')
    const late = await newProfile()
    const waited = await late.begin()
    await link.pass(601)
    expect((await late.complete(waited.body.id)).body.detail.code).toBe('wallet_sign_in_over')
    expect([...(await refused.list()), ...(await late.list())]).toEqual([])
  })

  test('that has nothing to pay with waits for a card, and is asked about the sign-in no second time', async () => {
    const one = await signedIn()
    await link.empty(one.code, true)
    const early = await one.complete(one.signIn)
    expect([early.status, early.body.detail.code]).toEqual([409, 'wallet_is_empty'])
    await link.empty(one.code, false)
    expect((await one.complete(one.signIn)).status).toBe(201)
  })

  test('is nobody else: another profile, another account, test mode, an id that never was', async () => {
    const one = await signedIn()
    const [other, stranger] = [await newProfile(), await newProfile(app.stranger)]
    for (const { complete } of [other, stranger]) expect((await complete(one.signIn)).status).toBe(404)
    expect((await one.complete(one.signIn, app.account.keys.secret_test)).status).toBe(404)
    expect((await one.complete(`wlt_${'0'.repeat(26)}`)).status).toBe(404)
    expect((await one.complete(one.signIn)).status).toBe(201)
  })

  test('pays in live mode alone, and so many are begun in an hour', async () => {
    const key = app.account.keys.secret_test
    const tested = (await app.post('/v1/profiles', person, { key })).body.id
    const refused = await app.post(`/v1/profiles/${tested}/wallet_sign_ins`, undefined, { key })
    expect(refused.body.detail.code).toBe('wallets_not_offered')
    const busy = await newProfile()
    const answers = [await busy.begin(), await busy.begin(), await busy.begin(), await busy.begin()]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect((await busy.begin()).status).toBe(429)
  })

  test('is signed in by a component for which a server vouches, and by no other', async () => {
    const { profileId } = await newProfile()
    const page = await openComponentPage(app, { mode: 'live' })
    const unvouched = await page.open('AddPaymentMethod', { profile_id: profileId })
    expect((await unvouched.post('/wallet_sign_ins')).body.detail.code).toBe('client_secret_required')
  })

  test('is signed out at Link when it is deleted, and nothing of its tokens is kept', async () => {
    const one = await signedIn()
    const added = await one.complete(one.signIn)
    const wallet = await walletOf(one.profileId)
    const wallets = openWalletTokens(app.parts, keeper)
    const before = await wallets.tokenOf(wallet, asked)
    expect((await one.remove(added.body.id)).status).toBe(200)
    expect(await wallets.tokenOf(wallet, asked)).toEqual({ kind: 'ended' })
    const headers = { authorization: `Bearer ${before.kind === 'token' ? before.token : ''}` }
    expect((await fetch(`${link.url}/spend_requests`, { headers })).status).toBe(401)
    expect(await app.sql('select state, sealed from wallets where id = $1', [one.signIn])).toEqual([
      { state: 'ended', sealed: null },
    ])
    expect((await one.complete(one.signIn)).status).toBe(404)
  })
})

describe('the tokens of a wallet', () => {
  async function opened() {
    const one = await signedIn()
    await one.complete(one.signIn)
    return { ...one, wallet: await walletOf(one.profileId), wallets: openWalletTokens(app.parts, keeper) }
  }
  const near = (id: string) => app.sql('update wallets set renew_at = now() where id = $1', [id])

  test('stand nowhere in the clear: not in rows, events, answers or logs', async () => {
    const { wallet, wallets, signIn } = await opened()
    const said = await wallets.tokenOf(wallet, asked)
    const token = said.kind === 'token' ? said.token : ''
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    const [{ dump }] = (await app.sql<{ dump: string }>(
      `select coalesce((select string_agg(e::text, '') from events e), '') || coalesce((select string_agg(w::text, '') from wallets w), '')
         || coalesce((select string_agg(p::text, '') from payment_methods p), '') as dump`,
    )) as [{ dump: string }]
    expect(dump).toContain(signIn)
    expect(dump).not.toContain(token)
    expect(dump).not.toContain(Buffer.from(token).toString('hex'))
    expect(JSON.stringify(app.lines)).not.toContain(token)
  })

  test('are renewed before they end, once, also where two ask at the same time', async () => {
    const { wallet, wallets, signIn } = await opened()
    const first = await wallets.tokenOf(wallet, asked)
    expect(await wallets.tokenOf(wallet, asked)).toEqual(first)
    await near(signIn)
    const said = await Promise.all([1, 2, 3].map(() => wallets.tokenOf(wallet, asked)))
    expect(said.filter(({ kind }) => kind === 'ended')).toEqual([])
    const renewed = said.find((one) => one.kind === 'token')
    expect(renewed).not.toEqual(first)
    expect(await wallets.tokenOf(wallet, asked)).toEqual(renewed)
  })

  test('that Link turns away are renewed at once', async () => {
    const { wallet, wallets } = await opened()
    const first = await wallets.tokenOf(wallet, asked)
    const next = await wallets.tokenOf(wallet, asked, first.kind === 'token' ? first.token : '')
    expect([next.kind, next]).toEqual(['token', expect.not.objectContaining(first)])
  })

  test('are over once their person has signed out at Link, and not because Link does not answer', async () => {
    const { wallet, signIn, code } = await opened()
    await near(signIn)
    const away = openWalletTokens(app.parts, { ...keeper, renew: async () => ({ kind: 'away' }) })
    expect(await away.tokenOf(wallet, asked)).toEqual({ kind: 'away' })
    await link.signOut(code)
    const wallets = openWalletTokens(app.parts, keeper)
    expect(await wallets.tokenOf(wallet, asked)).toEqual({ kind: 'ended' })
    expect(await wallets.tokenOf(wallet, asked)).toEqual({ kind: 'ended' })
  })

  test('of a wallet that is named wrongly, or in the other mode, are none', async () => {
    const { wallet, wallets } = await opened()
    const other = wallet.replace(/^[^:]+/, app.stranger.accountId)
    for (const name of [other, 'wlt_1', `${wallet}:1`])
      expect(await wallets.tokenOf(name, asked)).toEqual({ kind: 'ended' })
    expect(await wallets.tokenOf(wallet, { ...asked, mode: 'test' })).toEqual({ kind: 'ended' })
  })
})
