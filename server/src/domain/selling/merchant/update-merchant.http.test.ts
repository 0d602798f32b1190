import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { changeMerchant } from '../../readiness/merchant-readiness/public.ts'
import { heldTestDomain } from './public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ sharesTestDomains: true })
})
afterAll(() => app.stop())

const path = '/v1/merchant'
const write = (account: TestAccount, body: Record<string, unknown>, mode: 'test' | 'live' = 'test') =>
  app.post(path, body, { key: mode === 'test' ? account.keys.secret_test : account.keys.secret_live })

async function refusal(answer: ReturnType<typeof write>) {
  const { status, body } = await answer
  return [status, body.detail?.code, body.detail?.param]
}

async function isVerified(account: TestAccount, mode: 'test' | 'live' = 'test'): Promise<boolean> {
  const [row] = await app.sql<{ domain_verified_at: Date | null }>(
    'select domain_verified_at from merchants where account_id = $1 and mode = $2',
    [account.accountId, mode],
  )
  return row?.domain_verified_at != null
}

describe("a key of a merchant's backend", () => {
  const record = { slug: 'backend-shop', domain: 'backend-shop.example', mcc: '5411', country: 'DE' }
  let owner: TestAccount
  let key: string
  beforeAll(async () => {
    owner = await app.newAccount('Owner')
    expect((await write(owner, record)).status).toBe(200)
    key = (await app.newKey(owner, 'test', 'merchant_backend')).token
  })

  test.each([
    ['domain', 'other-shop.example'],
    ['domain', null],
    ['mcc', '5999'],
    ['mcc', null],
    ['country', 'AT'],
    ['country', null],
  ])('does not make its %s %s', async (field, value) => {
    const refused = await app.post(path, { name: 'Not written', [field]: value }, { key })
    expect([refused.status, refused.body.detail.code, refused.body.detail.param]).toEqual([
      403,
      'insufficient_scope',
      field,
    ])
    expect((await app.get(path, { key })).body).toMatchObject({ ...record, name: null })
  })

  test('writes everything else, beside what stays as it is', async () => {
    const same = { ...record, domain: 'Backend-Shop.EXAMPLE' }
    const changed = await app.post(path, { ...same, name: 'Shop', currency: 'eur' }, { key })
    expect([changed.status, changed.body]).toMatchObject([200, { ...record, name: 'Shop', currency: 'EUR' }])
    expect(
      (await app.post(path, { domain: 'another.example' }, { key: owner.keys.secret_test })).status,
    ).toBe(200)
    await write(owner, record)
  })

  test('is refused as a tool, too', async () => {
    const answer = await app.mcp('v1_update_merchant', { mcc: '5999' }, { key })
    expect([answer.status, answer.isError]).toEqual([403, true])
  })

  test('does not change the identity of a merchant without a record', async () => {
    const other = await app.newAccount('New')
    const { token } = await app.newKey(other, 'test', 'merchant_backend')
    const refused = await app.post(path, { domain: 'new-shop.example' }, { key: token })
    expect(refused.status).toBe(403)
    expect((await app.post(path, { slug: 'new-shop', domain: null, mcc: null }, { key: token })).status).toBe(
      200,
    )
  })
})

describe('a shared test domain', () => {
  let domains = 0
  let first: TestAccount
  let second: TestAccount
  let domain: string
  async function claimed(suffix = 'example') {
    ;[first, second] = [await app.newAccount('First'), await app.newAccount('Second')]
    domain = `shop${++domains}.${suffix}`
    expect((await write(first, { domain })).status).toBe(200)
  }

  test.each(['example', 'test', 'localhost'])(
    'under .%s counts as verified for the first merchant that claims it',
    async (suffix) => {
      await claimed(suffix)
      const { body } = await app.get(path, { key: first.keys.secret_test })
      expect(body.requirements).toContainEqual(
        expect.objectContaining({ code: 'domain_verification', state: 'satisfied' }),
      )
      expect(await refusal(write(second, { domain: domain.toUpperCase() }))).toEqual([
        409,
        'domain_taken',
        'domain',
      ])
      expect(await refusal(write(second, { domain: `www.${domain}` }))).toEqual([
        409,
        'domain_taken',
        'domain',
      ])
    },
  )

  test('is free once its account has another, or none', async () => {
    await claimed()
    await write(first, { domain: `other-${domain}` })
    expect((await write(second, { domain })).status).toBe(200)
    expect(await isVerified(second)).toBe(true)
    expect(await refusal(write(first, { domain }))).toEqual([409, 'domain_taken', 'domain'])
    await write(second, { domain: null })
    expect((await write(first, { domain })).status).toBe(200)
  })

  test('goes to a merchant that claimed it while another had it, once it is free and that merchant claims it again', async () => {
    await claimed()
    await app.sql(
      'insert into merchants (account_id, mode, domain, verification_token, tax_basis_points, seq, created_at, updated_at) values ($1, $2, $3, $4, 0, 1, now(), now())',
      [second.accountId, 'test', domain, 'token'],
    )
    expect((await write(second, { domain })).status).toBe(200)
    expect(await isVerified(second)).toBe(false)
    await write(first, { domain: null })
    const { token } = await app.newKey(second, 'test', 'merchant_backend')
    await app.post(path, { domain }, { key: token })
    expect(await isVerified(second)).toBe(false)
    expect((await write(second, { domain })).status).toBe(200)
    expect(await isVerified(second)).toBe(true)
  })

  test('is held by one merchant when two claim it at once', async () => {
    await claimed()
    await write(first, { domain: null })
    const answers = await Promise.all([write(first, { domain }), write(second, { domain })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect([await isVerified(first), await isVerified(second)].sort()).toEqual([false, true])
  })

  test('is no domain of live mode, and no other name is shared', async () => {
    await claimed()
    expect((await write(first, { domain }, 'live')).status).toBe(200)
    expect(await isVerified(first, 'live')).toBe(false)
    expect((await write(second, { domain: 'shop.example.com' })).status).toBe(200)
    expect(await isVerified(second)).toBe(false)
  })

  test('of the sandbox is reserved, with all below it', async () => {
    await claimed()
    for (const reserved of ['sandbox-merchant.example', 'www.sandbox-other.example']) {
      expect(await refusal(write(second, { domain: reserved }))).toEqual([409, 'domain_taken', 'domain'])
    }
    const tenant = { accountId: second.accountId, mode: 'test' } as const
    await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, (ctx) =>
      changeMerchant(ctx, () => heldTestDomain(ctx, 'sandbox-other.example')),
    )
    expect((await write(second, { domain: 'sandbox-other.example', slug: 'sandbox' })).status).toBe(200)
    expect(await isVerified(second)).toBe(true)
  })

  test('needs no proof, and is looked for nowhere', async () => {
    await claimed()
    const { status, body } = await app.post('/v1/merchant/verify_domain', undefined, {
      key: first.keys.secret_test,
    })
    expect([status, body.verifications]).toMatchObject([200, [{ kind: 'domain', status: 'passed' }]])
    expect(await isVerified(first)).toBe(true)
  })
})

test('where domains are not shared, a reserved name is only claimed', async () => {
  const alone = await startTestApp()
  const key = alone.account.keys.secret_test
  const { body } = await alone.post(path, { domain: 'shop.example' }, { key })
  expect(body.verifications[0].status).toBe('pending')
  const other = await alone.post(path, { domain: 'shop.example' }, { key: alone.stranger.keys.secret_test })
  expect(other.status).toBe(200)
  await alone.stop()
})
