import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RailCredential } from '../../src/domain/buying/rails/port.ts'
import { createEgress, type Egress } from '../../src/platform/egress/egress.ts'
import type { VaultClient } from '../../src/platform/vault-client/vault-client.ts'
import { createLinkRail } from '../../src/rails/link/link.ts'
import { startLink } from '../harness/link.ts'
import { call } from './payment-rail/rail-under-test.ts'

/**
 * The wallet as a rail. The suite of rails holds and captures, which a wallet does neither of: what it promises of keys, of lost answers and of
 * closing is told here.
 */
let link: Awaited<ReturnType<typeof startLink>>
let egress: Egress
const tokens = new Map<string, string>()
const sealed: { number: string; account: string }[] = []

beforeAll(async () => {
  link = await startLink()
  egress = createEgress({ allowLoopback: () => false, trustedOrigins: [link.url] })
})
afterAll(async () => {
  await egress?.close()
  await link?.stop()
})

/** The door of the vault, as the rail sees it: it makes the call, keeps the number, and tells the name of its record. */
const vault: Pick<VaultClient, 'forward'> = {
  async forward({ url, headers, seal, tenant }) {
    const answer = await fetch(url, { headers })
    const body = (await answer.json()) as { card?: Record<string, string> }
    const { card, ...rest } = body
    if (!answer.ok || card === undefined)
      return { kind: 'answer', status: answer.status, body: rest, retryAfterSeconds: null, record: null }
    expect(Object.values(seal ?? {})).toContain('/card/number')
    sealed.push({ number: card.number ?? '', account: tenant.accountId })
    const record = {
      id: `rec_${card.id}`,
      brand: 'visa',
      last4: '1984',
      expMonth: 12,
      expYear: 2034,
      testCard: null,
    }
    return { kind: 'answer', status: 200, body: rest, retryAfterSeconds: null, record }
  },
}

const rail = () =>
  createLinkRail({
    url: link.url,
    egress,
    vault: vault as VaultClient, // the rail uses no other door
    wallets: {
      async tokenOf(wallet) {
        const token = tokens.get(wallet)
        return token === undefined ? { kind: 'ended' } : { kind: 'token', token }
      },
    },
  })

const accountId = 'acct_00000000000000000000000001' as const

/** A purchase by a wallet of its own, unless another one is named. */
async function purchase(more: Partial<RailCredential> & { wallet?: string } = {}) {
  const key = randomUUID()
  const { wallet = `w-${key}`, ...terms } = more
  if (!tokens.has(wallet)) tokens.set(wallet, await link.signIn())
  const input: RailCredential = {
    key,
    card: { testCard: null, vaultToken: 'none', saved: { customer: wallet, method: 'csmrpd_1' } },
    limit: 2_500n,
    currency: 'USD',
    merchant: 'shop.example',
    reference: `test ${key}`,
    expiresAt: new Date(Date.now() + 3_600_000),
    vaultOf: accountId,
    ...terms,
  }
  const sent = { step: 'issue_credential', input } as const
  const open = () => rail()
  return {
    input,
    wallet,
    send: () => open().issueCredential(input, call),
    ask: () => open().ask(key, call, sent),
    close: () => open().close(sent, call),
    /** What the wallet has of it. */
    async requests() {
      const headers = { authorization: `Bearer ${tokens.get(wallet)}` }
      const { data } = (await (await fetch(`${link.url}/spend_requests`, { headers })).json()) as {
        data: { id: string; status: string; context: string; metadata: { prokura_key: string } }[]
      }
      return data.filter(({ metadata }) => metadata.prokura_key === key)
    },
  }
}

/** How far the clock of the simulator is ahead. */
let passedMs = 0
async function pass(seconds: number): Promise<void> {
  passedMs += seconds * 1000
  await link.pass(seconds)
}

type Purchase = Awaited<ReturnType<typeof purchase>>

async function pageOf(one: Purchase): Promise<string> {
  const said = await one.send()
  if (said.kind !== 'needs_person') throw new Error(`nobody is asked: ${JSON.stringify(said)}`)
  const minutes = (said.until.getTime() - Date.now() - passedMs) / 60_000
  expect([minutes > 8, minutes <= 10.1]).toEqual([true, true])
  return said.url
}

async function approved(more: Parameters<typeof purchase>[0] = {}) {
  const one = await purchase(more)
  await link.say(await pageOf(one), 'yes')
  const said = await one.ask()
  if (said.kind !== 'done') throw new Error(JSON.stringify(said))
  const [request] = await one.requests()
  return { ...one, credential: said.value, id: request?.id ?? '' }
}

const declined = { kind: 'refused', refusal: { code: 'authentication_failed', declineCode: null } }

test('nothing is issued before the person has approved it, and then a card of the vault, once however often it is asked for', async () => {
  const one = await purchase()
  const page = await pageOf(one)
  const before = sealed.length
  expect(await one.ask()).toMatchObject({ kind: 'needs_person', url: page })
  expect(await one.send()).toMatchObject({ kind: 'needs_person', url: page })
  expect(sealed.length).toBe(before)
  await link.say(page, 'yes')
  const answers = [await one.ask(), await one.send(), await one.ask()]
  const [request] = await one.requests()
  for (const said of answers)
    expect(said).toEqual({
      kind: 'done',
      value: {
        reference: `${one.wallet}/${request?.id}`,
        status: 'authorized',
        amount: 2_500n,
        capturedAmount: 0n,
        refundedAmount: 0n,
        currency: 'USD',
        captureReference: null,
        record: expect.stringMatching(/^rec_/),
      },
    })
  expect(
    JSON.stringify(answers, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  ).not.toContain(sealed.at(-1)?.number)
  expect(sealed.at(-1)).toEqual({ number: expect.stringMatching(/^400000998\d{7}$/), account: accountId })
  expect(await one.requests()).toHaveLength(1)
})

test('the person reads who is paid and how much, in a hundred characters or more, whatever the shop is called', async () => {
  const one = await purchase({ merchant: 'a.co' })
  await pageOf(one)
  const [request] = await one.requests()
  expect(request?.context.length).toBeGreaterThanOrEqual(100)
  expect(request?.context).toMatch(/a\.co for at most \$25\.00/)
})

test('what the person refuses, or does not answer in ten minutes, is refused for good', async () => {
  const refused = await purchase()
  await link.say(await pageOf(refused), 'no')
  expect([await refused.ask(), await refused.send()]).toEqual([declined, declined])
  const late = await purchase()
  const page = await pageOf(late)
  await pass(601)
  await link.say(page, 'yes')
  expect(await late.ask()).toEqual(declined)
})

test('what Link asks for in between is a page where it goes on by itself, and otherwise the end', async () => {
  const one = await purchase()
  const page = await pageOf(one)
  const [request] = await one.requests()
  await link.control(`requests/${request?.id}/action`, { resolution: 'auto_resume' })
  expect(await one.ask()).toMatchObject({ kind: 'needs_person', url: page })
  await link.control(`requests/${request?.id}/action`, { resolution: 'create_new_spend_request' })
  expect(await one.ask()).toEqual(declined)
})

test('what a shop takes and gives back is read at the request, and a card that it could not charge is used up', async () => {
  const one = await approved()
  const standing = () => rail().get('credential', one.credential.reference, call)
  expect(await standing()).toMatchObject({ kind: 'done', value: { status: 'authorized' } })
  await link.control(`requests/${one.id}/charge`, { amount: 2_400 })
  expect(await standing()).toMatchObject({
    value: { status: 'captured', capturedAmount: 2_400n, captureReference: `ltxn_${one.id}` },
  })
  await link.control(`requests/${one.id}/refund`, { amount: 400 })
  expect(await standing()).toMatchObject({ value: { status: 'captured', refundedAmount: 400n } })
  await link.control(`requests/${one.id}/refund`, { amount: 2_000 })
  expect(await standing()).toMatchObject({ value: { status: 'refunded', refundedAmount: 2_400n } })
  const other = await approved()
  expect(await link.control(`requests/${other.id}/charge`, { amount: 2_501 })).toEqual({ approved: false })
  expect(await rail().get('credential', other.credential.reference, call)).toMatchObject({
    value: { status: 'voided' },
  })
})

test('a card that was revoked is charged no more, and one that was charged says so', async () => {
  const one = await approved()
  const release = (reference: string) => rail().revoke({ key: randomUUID(), reference }, call)
  expect(await release(one.credential.reference)).toMatchObject({ kind: 'done', value: { status: 'voided' } })
  expect(await link.control(`requests/${one.id}/charge`, { amount: 1 })).toEqual({ approved: false })
  expect(await release(one.credential.reference)).toMatchObject({ kind: 'done', value: { status: 'voided' } })
  const charged = await approved()
  await link.control(`requests/${charged.id}/charge`, { amount: 2_500 })
  expect(await release(charged.credential.reference)).toMatchObject({
    value: { status: 'captured', capturedAmount: 2_500n },
  })
})

test('after twelve hours an approved card is good for nothing', async () => {
  const one = await approved()
  await pass(43_201)
  expect(await rail().get('credential', one.credential.reference, call)).toMatchObject({
    value: { status: 'voided' },
  })
})

test('a request whose answer was lost is found by its key, and one that was lost itself is not', async () => {
  const one = await purchase()
  await link.fault('create', 'lose_answer')
  expect(await one.send()).toEqual({ kind: 'unknown' })
  expect(await one.ask()).toMatchObject({ kind: 'needs_person' })
  const other = await purchase()
  await link.fault('create', 'drop_request')
  expect(await other.send()).toEqual({ kind: 'unknown' })
  expect(await other.ask()).toEqual({ kind: 'not_found' })
  for (const how of ['lose_answer', 'further_page']) {
    await link.fault('list', how)
    expect([how, await other.ask()]).toEqual([how, { kind: 'unknown' }])
  }
})

test('closing is final: what waits is cancelled, what was lost never comes, and a call that arrives later holds nothing', async () => {
  const waiting = await purchase()
  const page = await pageOf(waiting)
  expect(await waiting.close()).toEqual({ kind: 'closed' })
  await link.say(page, 'yes')
  expect([await waiting.ask(), await waiting.send()]).toEqual([
    { kind: 'closed' },
    { kind: 'refused', refusal: { code: 'canceled', declineCode: null } },
  ])
  const lost = await purchase()
  await link.fault('create', 'drop_request')
  await lost.send()
  expect(await lost.close()).toEqual({ kind: 'closed' })
  expect(await lost.send()).toMatchObject({ refusal: { code: 'canceled' } })
  expect((await lost.requests()).map(({ status }) => status)).toEqual(['canceled'])
  const issued = await approved()
  expect(await issued.close()).toEqual({ kind: 'closed' })
  expect(await link.control(`requests/${issued.id}/charge`, { amount: 1 })).toEqual({ approved: false })
  const charged = await approved()
  await link.control(`requests/${charged.id}/charge`, { amount: 2_500 })
  expect(await charged.close()).toMatchObject({ kind: 'done', value: { status: 'captured' } })
})

test.each([
  ['busy', 429],
  ['permission', 403],
  ['credentials', 401],
] as const)(
  'a wallet that turns a call away as %s has done nothing, and the call may be made again',
  async (reason, status) => {
    const one = await purchase()
    for (const [operation, ask] of [
      ['create', one.send],
      ['list', one.ask],
    ] as const) {
      await link.fault(operation, `status=${status}`)
      expect(await ask()).toEqual({ kind: 'not_now', reason, retryAfterSeconds: null })
    }
    expect(await one.requests()).toEqual([])
    expect((await one.send()).kind).toBe('needs_person')
  },
)

test('a person who has signed out is asked nothing: what is not in the vault never comes, and of the rest nothing is concluded', async () => {
  const one = await approved()
  tokens.delete(one.wallet)
  const closed = { kind: 'closed' }
  expect([await one.send(), await one.ask(), await one.close()]).toEqual([declined, closed, closed])
  const away = { kind: 'not_now', reason: 'no_object', retryAfterSeconds: null }
  const { reference } = one.credential
  const key = randomUUID()
  const revoke = { step: 'revoke', input: { key, reference } } as const
  expect(await rail().get('credential', reference, call)).toEqual(away)
  expect([await rail().revoke(revoke.input, call), await rail().ask(key, call, revoke)]).toEqual([away, away])
})

test('whether a card was revoked is read at its request', async () => {
  const { credential } = await approved()
  const input = { key: randomUUID(), reference: credential.reference }
  const ask = () => rail().ask(input.key, call, { step: 'revoke', input })
  expect(await ask()).toEqual({ kind: 'not_found' })
  await rail().revoke(input, call)
  expect(await ask()).toMatchObject({ kind: 'done', value: { status: 'voided' } })
})

test('what Link does not offer is refused before anybody is asked, and what it limits when it says so', async () => {
  const code = async (more: Parameters<typeof purchase>[0]) => {
    const said = await (await purchase(more)).send()
    return said.kind === 'refused' ? said.refusal.code : said.kind
  }
  const before = (await link.log()).length
  expect(await code({ limit: 50_001n })).toBe('over_request_limit')
  expect(await code({ currency: 'EUR' })).toBe('currency_not_offered')
  expect(await code({ expiresAt: new Date(Date.now() + 43_260_000) })).toBe('needed_for_longer')
  expect(await code({ vaultOf: undefined })).toBe('not_offered')
  expect(await code({ card: { testCard: 'visa_auto_approved', vaultToken: 'none' } })).toBe('not_offered')
  expect((await link.log()).length).toBe(before)
  const { wallet } = await approved({ limit: 40_000n })
  expect(await code({ wallet, limit: 10_001n })).toBe('daily_limit_exceeded')
  expect(await code({ wallet, limit: 10_000n })).toBe('needs_person')
  const many = await purchase()
  for (let count = 0; count < 30; count++) await (await purchase({ wallet: many.wallet, limit: 1n })).send()
  expect(await code({ wallet: many.wallet, limit: 1n })).toBe('too_many_active_requests')
})

test('it holds, captures and gives back nothing itself', async () => {
  const release = { key: randomUUID(), reference: 'w/lsrq_1' }
  const money = { ...release, amount: 1n, currency: 'USD' }
  for (const said of [
    await rail().capture(money, call),
    await rail().refund(money, call),
    await rail().void(release, call),
  ])
    expect(said).toEqual({ kind: 'refused', refusal: { code: 'not_offered', declineCode: null } })
})

test('the sign-in of a program needs its person: pending, refused, expired, and a code is good once', async () => {
  const begin = async () =>
    (await (
      await link.form('/device/code', { client_id: 'x', scope: 'payment_methods.agentic' })
    ).json()) as Record<string, string>
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = async (device_code = '') =>
    (await (await link.form('/device/token', { grant_type, device_code })).json()) as Record<string, string>
  const one = await begin()
  expect(await poll(one.device_code)).toEqual({ error: 'authorization_pending' })
  await link.say(one.verification_uri_complete ?? '', 'yes')
  const got = await poll(one.device_code)
  expect(got).toMatchObject({ token_type: 'Bearer', access_token: expect.any(String) })
  expect(await poll(one.device_code)).toEqual({ error: 'invalid_grant' })
  const renewed = await link.form('/device/token', {
    grant_type: 'refresh_token',
    refresh_token: got.refresh_token ?? '',
  })
  expect(await renewed.json()).toMatchObject({ access_token: expect.any(String) })
  const no = await begin()
  await link.say(no.verification_uri_complete ?? '', 'no')
  expect(await poll(no.device_code)).toEqual({ error: 'access_denied' })
  const late = await begin()
  await pass(601)
  expect(await poll(late.device_code)).toEqual({ error: 'expired_token' })
})
