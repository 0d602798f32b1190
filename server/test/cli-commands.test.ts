import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patientMs } from './gate/pace.ts'
import { mainProgram } from './harness/built-program.ts'
import { prokura } from './harness/command-runner.ts'
import { person } from './harness/person.ts'
import { callService, makeFolder, runForJson } from './harness/service-calls.ts'
import { prokuraAlone, type Service, serviceEnvironment, startService } from './harness/up.ts'

let folder: string
let state: string
let service: Service
let remove: () => Promise<void>

beforeAll(async () => {
  ;({ folder, state, remove } = await makeFolder())
  service = await startService({ state, args: ['--port', '0', '--test-clock'] })
})

afterAll(async () => {
  await service?.stop('SIGKILL')
  await remove()
})

describe('keys', () => {
  test('create makes a key that works at once, and revoke ends it within a second', async () => {
    const made = await json(['keys', 'create', '--preset', 'read_only', '--name', 'reader'])
    expect(made).toMatchObject({ name: 'reader', preset: 'read_only', mode: 'test' })
    expect((await call('GET', '/v1/profiles', undefined, made.token)).status).toBe(200)
    expect((await call('POST', '/v1/profiles', person, made.token)).status).toBe(403)

    await json(['keys', 'revoke', made.id])
    await expect
      .poll(async () => (await call('GET', '/v1/profiles', undefined, made.token)).status, {
        timeout: patientMs(1_000),
      })
      .toBe(401)
    const { data } = await json(['keys', 'list'])
    expect(data.find(({ id }: { id: string }) => id === made.id).revoked_at).not.toBeNull()
  })

  test('create makes a publishable key for the origins of pages, and for nothing else', async () => {
    const at = (...origins: string[]) => [
      ...['keys', 'create', '--kind', 'publishable'],
      ...origins.flatMap((origin) => ['--origin', origin]),
    ]
    const made = await json(at('HTTPS://Shop.example/', 'http://localhost:3000', 'https://shop.example'))
    expect(made).toMatchObject({
      kind: 'publishable',
      origins: ['https://shop.example', 'http://localhost:3000'],
      token: expect.stringMatching(/^pr_pk_test_/),
    })
    for (const origin of ['http://shop.example', 'https://shop.example/cart', '*']) {
      const { code, err } = await prokura([...at(origin), '--state', state])
      expect([code === 0, err]).toEqual([false, expect.stringContaining('without a path')])
    }
    for (const args of [at(), ['keys', 'create', '--origin', 'https://shop.example']])
      expect((await prokura([...args, '--state', state])).err).toContain('--origin')
  })

  test('update changes where and for what a publishable key works, and leaves the rest', async () => {
    const page = ['--kind', 'publishable', '--origin', 'https://shop.example']
    const { id } = await json(['keys', 'create', ...page, '--capability', 'elements'])
    const update = (...args: string[]) => ['keys', 'update', id, ...args]
    const origins = ['https://a.example', 'https://b.example']
    await json(update('--origin', ...origins))
    const changed = await json(
      update('--client-secrets', 'required', '--capability', 'elements', 'catalog:read'),
    )
    const rights = { origins, capabilities: ['elements', 'catalog:read'], client_secrets: 'required' }
    expect(changed).toMatchObject(rights)
    expect(await json(['keys', 'roll', id])).toMatchObject(rights)
    const secret = await json(['keys', 'create'])
    for (const [args, words] of [
      [update(), 'Name what is to change'],
      [update('--origin', 'https://a.example'), 'The key is revoked'],
      [['keys', 'update', secret.id, '--origin', 'https://a.example'], 'this is a secret key'],
      [['keys', 'create', '--capability', 'elements'], 'A secret key has a --preset'],
    ] as const)
      expect((await prokura([...args, '--state', state])).err).toContain(words)
  })

  test('roll makes a successor and ends the one before', async () => {
    const first = await json(['keys', 'create'])
    const second = await json(['keys', 'roll', first.id])
    expect((await call('GET', '/v1/profiles', undefined, second.token)).status).toBe(200)
    await expect
      .poll(async () => (await call('GET', '/v1/profiles', undefined, first.token)).status, {
        timeout: patientMs(1_000),
      })
      .toBe(401)
  })

  test('roll with overlap leaves the old key for that time, and 24 hours at most', async () => {
    const first = await json(['keys', 'create', '--preset', 'buyer_agent'])
    const second = await json(['keys', 'roll', first.id, '--overlap', '30m'])
    expect(second).toMatchObject({ agent_id: first.agent_id, scopes: first.scopes, expires_at: null })
    for (const { token } of [first, second])
      expect((await call('GET', '/v1/profiles', undefined, token)).status).toBe(200)
    const { data } = await json(['keys', 'list'])
    const old = data.find(({ id }: { id: string }) => id === first.id)
    expect(old.revoked_at).toBeNull()
    expect(new Date(old.expires_at).getTime() - Date.now()).toBeLessThanOrEqual(30 * 60_000)
    const { code, err } = await prokura(['keys', 'roll', second.id, '--overlap', '25h', '--state', state])
    expect([code, err]).toEqual([1, expect.stringContaining('at most 24h')])
  })

  test('create gives an agent a further key, with no more power unless forced', async () => {
    const first = await json(['keys', 'create', '--preset', 'buyer_agent', '--name', 'shopper'])
    const second = await json(['keys', 'create', '--preset', 'buyer_agent', '--agent', first.agent_id])
    expect(second.agent_id).toBe(first.agent_id)
    const more = ['keys', 'create', '--agent', first.agent_id, '--state', state]
    const { code, err } = await prokura(more)
    expect([code, err]).toEqual([1, expect.stringMatching(/lack .*purchase_intents:approve.*Add --force/)])
    expect((await json(['keys', 'create', '--agent', first.agent_id, '--force'])).preset).toBe('full')
    const unknown = await prokura(['keys', 'create', '--agent', 'agent_nobody', '--state', state])
    expect([unknown.code, unknown.err]).toEqual([
      1,
      'prokura: This account has no such agent in test mode. Check the id, --account and --mode.\n',
    ])
    const listed = await prokura(['keys', 'list', '--state', state])
    expect(listed.out).toMatch(/AGENT +PROFILES/)
    expect(listed.out.split(first.agent_id)).toHaveLength(4)
  })

  test('create binds the agent of a key to one profile', async () => {
    const made = (await call('POST', '/v1/profiles', person)).body
    const other = (await call('POST', '/v1/profiles', person)).body
    const bound = await json(['keys', 'create', '--preset', 'buyer_agent', '--profile', made.id])
    expect(bound.profile_id).toBe(made.id)
    expect((await call('GET', `/v1/profiles/${made.id}`, undefined, bound.token)).status).toBe(200)
    expect((await call('GET', `/v1/profiles/${other.id}`, undefined, bound.token)).status).toBe(404)
    for (const [args, message] of [
      [['--preset', 'full', '--profile', made.id], 'buyer_agent and read_only only'],
      [['--preset', 'buyer_agent', '--profile', 'prof_nobody'], 'no such profile'],
      [['--preset', 'buyer_agent', '--profile', made.id, '--agent', bound.agent_id], 'cannot be used with'],
    ] as const) {
      const { code, err } = await prokura(['keys', 'create', ...args, '--state', state])
      expect([code, err]).toEqual([1, expect.stringContaining(message)])
    }
    expect((await prokura(['keys', 'list', '--state', state])).out).toContain(made.id)
  })

  test('join makes two agents one, and asks before that gives more power', async () => {
    const [from, into] = [
      await json(['keys', 'create', '--preset', 'buyer_agent']),
      await json(['keys', 'create', '--preset', 'buyer_agent']),
    ]
    const scope = { api_key_ids: [from.id] }
    const terms = { currency: 'EUR', limits: { per_transaction_max: 1000 }, approval: { mode: 'never' } }
    const made = (await call('POST', '/v1/policies', { name: 'Lunch', scope, ...terms })).body
    const join = ['keys', 'join', from.id, into.agent_id]
    const { code, err } = await prokura([...join, '--state', state])
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`${into.agent_id} buys under the policy Lunch (${made.id}). Add --yes`),
    ])
    expect(await json([...join, '--yes'])).toMatchObject({
      agent_id: into.agent_id,
      joined: from.agent_id,
      key_ids: [from.id],
      policy_ids: [made.id],
    })
    const again = await prokura([...join, '--state', state])
    expect([again.code, again.err]).toEqual([1, 'prokura: Both are the same agent.\n'])
    const third = await json(['keys', 'create', '--preset', 'buyer_agent'])
    const shown = await prokura(['keys', 'join', third.id, into.id, '--yes', '--state', state])
    expect(shown.out).toContain(`${third.agent_id} is merged into ${into.agent_id}.`)
    await call('POST', `/v1/policies/${made.id}/archive`)
  })

  test('an unknown account is refused, not shown as empty', async () => {
    const { code, err } = await prokura(['keys', 'list', '--state', state, '--account', 'acct_nobody'])
    expect({ code, err }).toEqual({
      code: 1,
      err: 'prokura: There is no account acct_nobody in this database. `prokura accounts list` shows all accounts.\n',
    })
  })
})

describe('merchants', () => {
  const write = (key: string, body: Record<string, unknown>) => call('POST', '/v1/merchant', body, key)
  const listed = (...args: string[]) => json(['merchants', 'list', ...args])
  let seller: { account_id: string; keys: { secret_test: string; secret_live: string } }
  beforeAll(async () => {
    seller = await json(['accounts', 'create', 'Seller'])
  })

  test('confirm says which claims of a live merchant count, until it claims something else', async () => {
    const record = { slug: 'confirmed-shop', domain: 'confirmed.example', mcc: '5719', country: 'DE' }
    expect((await write(seller.keys.secret_live, record)).status).toBe(200)
    expect((await listed('--unconfirmed')).data).toMatchObject([
      { slug: 'confirmed-shop', mcc: '5719', mcc_confirmed: false, country_confirmed: false },
    ])
    const other = await prokura(['merchants', 'confirm', 'confirmed-shop', '--mcc', '5411', '--state', state])
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain('claims mcc 5719, not 5411')
    expect(await json(['merchants', 'confirm', 'confirmed-shop', '--mcc', '--country', 'DE'])).toMatchObject({
      account_id: seller.account_id,
      mcc_confirmed: true,
      mcc_confirmed_at: expect.any(String),
      country_confirmed: true,
    })
    expect((await listed('--unconfirmed')).data).toEqual([])
    await write(seller.keys.secret_live, { mcc: '5411' })
    expect((await listed('--unconfirmed')).data).toMatchObject([
      { mcc_confirmed: false, country_confirmed: true },
    ])
  })

  test('release frees a test domain for another account', async () => {
    const domain = 'released.example'
    expect((await write(seller.keys.secret_test, { domain })).status).toBe(200)
    const other = await json(['accounts', 'create', 'Other'])
    expect((await write(other.keys.secret_test, { domain })).status).toBe(409)
    const released = await json(['merchants', 'release', domain.toUpperCase()])
    expect(released).toMatchObject({ account_id: seller.account_id, domain: null, released_domain: domain })
    expect((await write(other.keys.secret_test, { domain })).status).toBe(200)
    const shown = await listed('--mode', 'test')
    expect(shown.data).toContainEqual(
      expect.objectContaining({ account_id: other.account_id, domain, holds_test_domain: true }),
    )
    const { code, err } = await prokura([
      'merchants',
      'release',
      'sandbox-merchant.example',
      '--state',
      state,
    ])
    expect([code, err]).toEqual([1, 'prokura: sandbox-merchant.example is reserved for the sandbox.\n'])
  })
})

test('accounts create opens an account whose keys work', async () => {
  const made = await json(['accounts', 'create', 'Second'])
  expect(Object.keys(made)).toEqual(['account_id', 'keys'])
  expect(Object.keys(made.keys)).toEqual(['secret_test', 'secret_live', 'publishable_test', 'agent_test'])
  expect((await call('GET', '/v1/profiles', undefined, made.keys.secret_live)).status).toBe(200)
})

test('status counts what is under way', async () => {
  expect(await json(['status'])).toEqual({
    work: expect.any(Array),
    workers: [
      expect.objectContaining({
        id: expect.stringMatching(/^worker_/),
        serves: expect.arrayContaining([
          'carts test native',
          'carts test simulated',
          'refunds test',
          'intents test',
        ]),
      }),
    ],
    unserved: [],
    failing: [],
    retention: expect.any(Array),
    unanswered: [],
    vault: {
      answers: true,
      records: 0,
      open_grants: 0,
      redeemed: 0,
      refused: 0,
      under_older_key: 0,
      public_url: expect.stringContaining('http://vault.localhost:'),
    },
    browser: null,
    relay: {
      pending: expect.any(Number),
      oldest_seconds: expect.any(Number),
      shards_held: expect.any(Number),
      followers: [],
      behind: [],
      behind_more: 0,
    },
  })
})

test('audit names each invariant with what it checked, and the chains verify', async () => {
  const report = await json(['audit'])
  expect(report.ok).toBe(true)
  expect(report.invariants.length).toBeGreaterThan(10)
  for (const invariant of report.invariants)
    expect(invariant).toMatchObject({ id: expect.any(String), checked: expect.any(Number), violations: [] })
  expect(await json(['audit', 'verify'])).toMatchObject({ ok: true, breaks: [], weakness: null })
})

test('config check says what is wrong and why, and never a secret', async () => {
  const secret = 'mysql://root:hunter2@db/prokura'
  const env = { ...serviceEnvironment(), PORT: 'http', PROKURA_LOG_LEVL: 'info', DATABASE_URL: secret }
  const { code, out, err } = await prokuraAlone(['config', 'check'], env)
  expect(code).toBe(1)
  expect(out).toContain('PORT must be a whole number from 0 to 65535, not "http"')
  expect(out).toContain('PROKURA_LOG_LEVL is not a setting; did you mean PROKURA_LOG_LEVEL?')
  expect(err).toBe('prokura: At least one setting is wrong. The lines above say which and why.\n')
  expect(out + err).not.toContain('hunter2')
  expect((await prokuraAlone(['config', 'check'])).code).toBe(0)
  const keys = await prokura(['config', 'check'], { ...serviceEnvironment(), PROKURA_KEYS: 'hunter2' })
  expect([keys.code, keys.out]).toEqual([
    1,
    expect.stringContaining('PROKURA_KEYS cannot be used: key 1 is not'),
  ])
  expect(keys.out + keys.err).not.toContain('hunter2')
})

test('a reader that stops reading early is no fault', async () => {
  const child = spawn('sh', ['-c', `"${process.execPath}" "${mainProgram}" config check | head -1`])
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  await once(child, 'close')
  expect(err).toBe('')
})

test('crash-points lists where a process can be killed', async () => {
  const { crash_points } = JSON.parse((await prokuraAlone(['crash-points', '--json'])).out)
  expect(crash_points).toEqual(expect.arrayContaining(['capture.before', 'step.commit.after']))
})

test('vault add-key adds a key that new processes use, and older sealed data stays readable', async () => {
  const { key_id } = await json(['vault', 'add-key'])
  expect(await readFile(join(state, 'vault.keys'), 'utf8')).toMatch(new RegExp(`^k.*\\n${key_id}:.*\\n$`))
  expect((await json(['keys', 'create'])).token).toMatch(/^pr_sk_test_/)
  expect((await call('GET', '/v1/profiles')).status).toBe(200)
})

test('clock advance lets an approval expire in the running service', async () => {
  const approval = { mode: 'always', expires_after_minutes: 10 }
  await call('POST', '/v1/policies', { name: 'Ask soon', approval })
  const { body: buyer } = await call('POST', '/v1/profiles', person)
  const { item_url: url, item_price } = service.ready.sandbox
  const item = { url, quantity: 1, expected_amount: item_price, expected_currency: 'USD' }
  const { body: intent } = await call('POST', '/v1/purchase_intents', { profile_id: buyer.id, items: [item] })
  expect(intent.status).toBe('awaiting_approval')

  const { now, advanced_seconds } = await json(['clock', 'advance', '24h'])
  expect(advanced_seconds).toBe(86_400)
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + 80_000_000)
  // Ends with the event that ends the purchase.
  const events = await fetch(`${service.ready.base_url}/v1/purchase_intents/${intent.id}/events`, {
    headers: { authorization: `Bearer ${service.ready.keys.secret_test}`, accept: 'text/event-stream' },
  })
  expect(await events.text()).toContain('event: purchase_intent.declined')
  const { body: after } = await call('GET', `/v1/purchase_intents/${intent.id}`)
  expect(after).toMatchObject({ status: 'declined', failure_reason: { code: 'approval_expired' } })
})

describe('catalog', () => {
  test('sends a file, reports its result, and exports one that changes nothing when it is imported again', async () => {
    const key = service.ready.keys.secret_live
    const env = { ...serviceEnvironment(), PROKURA_API_KEY: key }
    const file = join(folder, 'items.csv')
    await writeFile(file, 'handle,title,variant_price\none,One,100\nTWO,Two,200\n')
    const sent = await prokura(['catalog', 'import', file, '--state', state, '--json'], env)
    expect(sent.code).toBe(1)
    expect(JSON.parse(sent.out)).toMatchObject({ status: 'completed', progress: { rows: 2, failed: 2 } })
    await writeFile(file, 'handle,title\none,One\n')
    const mended = await prokuraAlone(['catalog', 'import', file, '--state', state], env)
    expect([mended.code, mended.out]).toEqual([0, expect.stringContaining('1 created')])
    const copy = join(folder, 'copy.jsonl')
    expect((await prokura(['catalog', 'export', copy, '--state', state], env)).code).toBe(0)
    const again = await prokura(['catalog', 'import', copy, '--url', service.ready.base_url], env)
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('1 unchanged')])
    const refused = await prokura(
      ['catalog', 'import', file, '--state', state, '--key', `${key}x`],
      serviceEnvironment(),
    )
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('answered 401')])
    expect(JSON.stringify([sent, mended, again, refused])).not.toContain(key)
  })

  test('says which key it needs, and which file it cannot read', async () => {
    const without = await prokura(['catalog', 'export', '--state', state])
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('PROKURA_API_KEY')])
    const missing = await prokura([
      'catalog',
      'import',
      join(folder, 'none.csv'),
      '--state',
      state,
      '--key',
      'x',
    ])
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no file')])
  })
})

function call(method: string, path: string, body?: unknown, key?: string) {
  return callService(service, { method, path, body, ...(key === undefined ? {} : { key }) })
}

function json(args: readonly string[]) {
  return runForJson(state, args)
}
