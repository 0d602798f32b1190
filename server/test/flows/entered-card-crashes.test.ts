import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeyToFile } from '../../src/platform/secrets/keys.ts'
import { type CardSession, leaveCard, openCardSession } from '../harness/card-sessions.ts'
import { prokuraAlone, serviceEnvironment } from '../harness/up.ts'
import { startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterAll(() => world?.stop())

const dying = (point: string) => world.restart('SIGTERM', { PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: point })
const tenantOf = ({ accountId, mode }: CardSession) => ({ accountId, mode })
const entered = () =>
  world.sql<{ id: string }>(`select id from card_vault.records where kind = 'entered' order by created_at`)

test.each([
  ['card.keep.before', 0],
  ['card.keep.after', 1],
])(
  'a card that is left while the vault dies at %s was not answered, and is left again',
  async (point, kept) => {
    const session = await openCardSession(world)
    const before = (await entered()).length
    await dying(point)
    await expect(leaveCard(world, session)).rejects.toThrow()
    expect((await entered()).length - before).toBe(kept)
    await world.restart()
    expect((await leaveCard(world, session)).status).toBe(201)
    // What nobody has goes with its hour, and nobody was told its token.
    await world.sql(
      `update card_vault.records set keep_until = now() - interval '1 hour' where kind = 'entered'`,
    )
    await world.restart('SIGTERM')
    expect(await entered()).toEqual([])
  },
)

async function enterCode({ token }: CardSession): Promise<{ temporary_cvc_token_id: string }> {
  const answer = await fetch(`${world.publicUrl}/cvcs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cvc: '111', card_brand: 'visa' }),
  })
  return JSON.parse(await answer.text())
}

test('a security code whose token was made and not answered is lost, and is typed again', async () => {
  const session = await openCardSession(world)
  await dying('code.keep.after')
  await expect(enterCode(session)).rejects.toThrow()
  await world.restart()
  const token = (await enterCode(session)).temporary_cvc_token_id
  const asked = { tenant: tenantOf(session), token, profile: session.profileId, purchase: 'pi_1' }
  expect(await world.client.takeCode(asked)).toMatchObject({ kind: 'taken', digits: 3 })
})

test('the commands add a master key and say what is left under the old one; what they do is done by the vault', async () => {
  const env = {
    ...serviceEnvironment(),
    DATABASE_URL: world.databaseUrl,
    PROKURA_STATE_DIR: world.folder,
    PROKURA_VAULT_KEYS_FILE: `${world.folder}/vault-master.keys`,
    PROKURA_VAULT_DOORS: world.doors,
  }
  const card = await leaveCard(world, await openCardSession(world))
  expect(card.status).toBe(201)
  const command = async (name: string) => {
    const { code, out, err } = await prokuraAlone(['vault', name, '--json'], env)
    expect(code, err).toBe(0)
    return JSON.parse(out)
  }
  const { key_id } = await command('rotate')
  // What was there is under the old key until the vault tidies up, and nobody is told otherwise.
  const older = async () =>
    (await world.sql('select 1 from card_vault.tenant_keys where master_key_id <> $1', [key_id])).length
  const before = await older()
  const { under_older_key } = await command('status')
  expect([before, await older()]).toContain(under_older_key)
  await world.restart('SIGTERM')
  expect(await command('status')).toMatchObject({ answers: true, records: 1, under_older_key: 0 })
  expect(await world.sql('select distinct master_key_id as id from card_vault.tenant_keys')).toEqual([
    { id: key_id },
  ])
})

test('half-way through a rotation every card opens, also under keys of both, and the rest follows', async () => {
  const accounts = Array.from({ length: 6 }, (_, at) => `acct_${String(at + 1).padStart(26, '0')}`)
  const cards: { session: CardSession; id: string }[] = []
  for (const accountId of accounts) {
    const session = await openCardSession(world, { accountId })
    cards.push({ session, id: (await leaveCard(world, session)).body.vault_token_id })
  }
  await world.sql(`update card_vault.records set keep_until = now() + interval '1 day'`)
  const added = await addKeyToFile(`${world.folder}/vault-master.keys`)
  const underNew = async () =>
    (await world.sql('select 1 from card_vault.tenant_keys where master_key_id = $1', [added])).length
  // It seals what is left when it starts, and dies after the third.
  const change = { PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: 'keys.sealed:3' }
  await expect(world.restart('SIGTERM', change)).rejects.toThrow('ended before it was ready')
  expect(await underNew()).toBe(3)
  const opened = async () => {
    // Forwarding opens a record: there is no such path at the rail, which says so and has seen the number.
    for (const { session, id } of cards) {
      const said = await world.client.forward({
        tenant: tenantOf(session),
        method: 'POST',
        url: `${world.sandbox.processorUrl}/v1/nowhere`,
        headers: {},
        body: { card: { number: { $vault: { record: id, field: 'number' } } } },
        timeoutMs: 5_000,
        seal: null,
      })
      expect(said).toMatchObject({ kind: 'answer', status: 404 })
    }
  }
  // Dies again, at the next, while cards are used under both keys.
  await expect(world.restart('SIGKILL', { ...change, PROKURA_CRASH_AT: 'keys.sealed:1' })).rejects.toThrow()
  expect(await underNew()).toBe(4)
  await world.restart()
  await opened()
  expect([(await underNew()) >= accounts.length, (await world.client.health())?.behind]).toEqual([true, 0])
  // Without the old keys.
  const newest = (await readFile(`${world.folder}/vault-master.keys`, 'utf8')).trim().split('\n').at(-1)
  await world.restart('SIGTERM', { PROKURA_VAULT_KEYS: newest, PROKURA_VAULT_KEYS_FILE: '' })
  await opened()
  // Its record goes with its key: what is left of the row opens nothing.
  const [{ session, id } = cards[0] ?? { session: null, id: '' }] = cards
  if (session === null) throw new Error('there is no card')
  expect(await world.client.shred(tenantOf(session), id)).toEqual({ kind: 'gone' })
  expect(await world.sql('select 1 from card_vault.records where id = $1', [id])).toEqual([])
  expect((await world.client.describe(tenantOf(session), id)).kind).toBe('none')
})
