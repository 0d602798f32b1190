import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPools } from '../../src/platform/database/pool.ts'
import { addKeyToFile, envKeyProvider } from '../../src/platform/secrets/keys.ts'
import { createTenantKeys } from '../../src/vault/tenant-keys.ts'
import { leaveCard, openCardSession } from '../harness/card-sessions.ts'
import { startChaosProxy } from '../harness/chaos-proxy.ts'
import { someTenant, startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterAll(() => world?.stop())

const origin = 'https://pay.shop.test'

async function granted() {
  const card = await world.issue()
  const bound = { cart: `cart_${randomBytes(4).toString('hex')}`, attempt: 1, origin }
  const said = await world.client.grant({ tenant: someTenant, record: card.record, ...bound, leaseToken: 1n })
  if (said.kind !== 'granted') throw new Error(`no grant: ${JSON.stringify(said)}`)
  return { card, request: { grant: said.grant, ...bound } }
}

/** The address of the database by way of a proxy that keeps back every answer, from the moment that `word` passes on its way to it. */
async function stallingAt(word: string) {
  const real = new URL(world.roles.addressOf(world.roles.vault))
  const target = real.searchParams.get('host')
    ? { path: `${real.searchParams.get('host')}/.s.PGSQL.5432` }
    : { host: real.hostname, port: Number(real.port || 5432) }
  const passed = Promise.withResolvers<void>()
  const proxy = await startChaosProxy({
    target,
    filter: (direction) => (chunk) => {
      if (direction === 'up' && chunk.includes(word)) {
        proxy.stall('down')
        passed.resolve()
      }
      return chunk
    },
  })
  real.search = ''
  real.hostname = '127.0.0.1'
  real.port = String(proxy.port)
  return { url: real.href, passed: passed.promise, cut: () => proxy.cut(), close: () => proxy.close() }
}

test('killed between the redemption and its answer, it gives the card to nobody, ever', async () => {
  const { card, request } = await granted()
  const stalling = await stallingAt('redeem_grant')
  await world.restart('SIGTERM', { DATABASE_VAULT_URL: stalling.url })
  const asked = world.redeem(request)
  await stalling.passed
  await expect
    .poll(() =>
      world.sql('select redeemed_at is not null as is from card_vault.grants where record_id = $1', [
        card.record,
      ]),
    )
    .toEqual([{ is: true }])
  await world.restart('SIGKILL')
  await stalling.close()
  expect(await asked).toEqual({ kind: 'lost' })
  expect(await world.redeem(request)).toEqual({ kind: 'refused' })
  const again = { tenant: someTenant, record: card.record, ...request, leaseToken: 2n }
  const { grant: _, ...bound } = again
  expect(await world.client.grant(bound)).toEqual({ kind: 'refused', reason: 'redeemed' })
})

test('a code that was lost with the process is asked for again, and a grant survives the crash', async () => {
  const { card, request } = await granted()
  await world.restart('SIGKILL')
  expect(await world.redeem(request)).toMatchObject({
    kind: 'card',
    card: { number: card.number, securityCode: card.code },
  })
})

test('where the code cannot be had, nothing is redeemed, and the grant stays', async () => {
  const { card, request } = await granted()
  await world.restart('SIGKILL', { PROKURA_RAIL_URL: 'http://127.0.0.1:1' })
  expect(await world.redeem(request)).toEqual({ kind: 'unavailable' })
  await world.restart('SIGKILL')
  expect(await world.redeem(request)).toMatchObject({ kind: 'card', card: { number: card.number } })
})

test('without its database nothing is redeemed, and the grant is good once the database is back', async () => {
  const { card, request } = await granted()
  const stalling = await stallingAt('select_redeemable')
  await world.restart('SIGTERM', { DATABASE_VAULT_URL: stalling.url })
  const asked = world.redeem(request)
  await stalling.passed
  stalling.cut()
  expect(await asked).toEqual({ kind: 'unavailable' })
  await stalling.close()
  await world.restart()
  expect(await world.redeem(request)).toMatchObject({ kind: 'card', card: { number: card.number } })
})

test('while it is away, a call was certainly not sent, and a grant is unavailable and not lost', async () => {
  const { card, request } = await granted()
  await world.end('SIGTERM')
  expect(await world.redeem(request)).toEqual({ kind: 'unavailable' })
  expect(await world.client.describe(someTenant, card.record)).toEqual({ kind: 'away' })
  await expect(world.issue()).rejects.toThrow('{"kind":"not_sent","retryable":true}')
  await world.restart()
  expect((await world.redeem(request)).kind).toBe('card')
})

test('killed after a card was left and before its answer, it takes the card again, and the first one goes', async () => {
  const session = await openCardSession(world)
  const stalling = await stallingAt('upsert_record')
  await world.restart('SIGTERM', { DATABASE_VAULT_URL: stalling.url })
  const lost = leaveCard(world, session).catch(() => 'lost')
  await stalling.passed
  const left = () =>
    world.sql<{ id: string }>(`select id from card_vault.records where kind = 'entered' order by created_at`)
  await expect.poll(async () => (await left()).length).toBe(1)
  await world.restart('SIGKILL')
  await stalling.close()
  expect(await lost).toBe('lost')
  const again = await leaveCard(world, session)
  const [first, second, ...others] = await left()
  expect([again.status, again.body.vault_token_id, others]).toEqual([201, second?.id, []])
  // Nobody has either, and the hour of the first one is over.
  await world.sql(`update card_vault.records set keep_until = now() - interval '1 hour' where id = $1`, [
    first?.id,
  ])
  await world.restart('SIGTERM')
  expect(await left()).toEqual([second])
})

test('without its database it takes no card, and says that it may be tried again', async () => {
  const session = await openCardSession(world)
  const stalling = await stallingAt('select_card_session')
  await world.restart('SIGTERM', { DATABASE_VAULT_URL: stalling.url })
  const asked = leaveCard(world, session)
  await stalling.passed
  stalling.cut()
  expect(await asked).toMatchObject({
    status: 503,
    body: { detail: { code: 'unavailable', retryable: true } },
  })
  await stalling.close()
  await world.restart()
  expect((await leaveCard(world, session)).status).toBe(201)
})

test('a number opens whatever key seals it while keys change, and afterwards without the old key', async () => {
  const file = `${world.folder}/vault-master.keys`
  const kept = [await granted(), await granted()]
  const added = await addKeyToFile(file)
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  const pools = openPools({
    url: world.roles.addressOf(world.roles.vault),
    writers: 1,
    readers: 1,
    applicationName: 'test',
    onError: () => undefined,
  })
  // Another process seals everything again and again, now under the one key and now under the other.
  let isOver = false
  let sealed = 0
  const turning = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const provider = envKeyProvider((turn % 2 === 0 ? lines : lines.toReversed()).join())
      sealed += await createTenantKeys(pools, () => provider).sealAgain()
    }
  })()
  // The vault reads the key of each new account, under whatever key it is at that moment.
  for (let account = 0; account < 40; account++) {
    const accountId = `acct_${String(account).padStart(26, '0')}` as const
    const first = await world.issue({ accountId })
    if (account % 20 === 10) await world.restart('SIGKILL')
    expect((await world.issue({ accountId })).record).not.toBe(first.record)
  }
  isOver = true
  await turning
  await pools.close()
  expect(sealed).toBeGreaterThan(40)
  await world.restart('SIGTERM')
  expect(await world.sql('select distinct master_key_id as id from card_vault.tenant_keys')).toEqual([
    { id: added },
  ])
  expect(await world.client.health()).toMatchObject({ behind: 0 })
  await world.restart('SIGTERM', { PROKURA_VAULT_KEYS: lines.at(-1), PROKURA_VAULT_KEYS_FILE: '' })
  for (const { card, request } of kept)
    expect(await world.redeem(request)).toMatchObject({ kind: 'card', card: { number: card.number } })
  await world.restart()
})

test.each([
  ['another key of the same id', (id: string) => id, /is another key than the one of the database/],
  ['a key of another id', () => 'kother', /is not there/],
])('with %s it does not start, and says so', async (_, idOf, words) => {
  await world.issue()
  const [row] = await world.sql<{ id: string }>('select master_key_id as id from card_vault.tenant_keys')
  const keys = `${idOf(row?.id ?? '')}:${randomBytes(32).toString('base64')}`
  const change = { PROKURA_VAULT_KEYS: keys, PROKURA_VAULT_KEYS_FILE: '' }
  await expect(world.restart('SIGTERM', change)).rejects.toThrow(words)
  await world.restart()
})
