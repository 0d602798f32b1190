import { afterAll, beforeAll, expect, test } from 'vitest'
import { someTenant, startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterAll(() => world?.stop())

const origin = 'https://pay.shop.test'
let carts = 0

/** A number, with a grant to type it for a cart of its own. */
async function granted(leaseToken = 1n) {
  const card = await world.issue()
  const bound = { cart: `cart_${++carts}`, attempt: 1, origin }
  const ask = (more: object = {}) =>
    world.client.grant({ tenant: someTenant, record: card.record, ...bound, leaseToken, ...more })
  const said = await ask()
  if (said.kind !== 'granted') throw new Error(`no grant: ${JSON.stringify(said)}`)
  return {
    card,
    bound,
    grant: said.grant,
    ask,
    redeem: (more: object = {}) => world.redeem({ grant: said.grant, ...bound, ...more }),
  }
}

test('a number goes from the rail into the vault, and out once, to whom the grant is for', async () => {
  const { card, redeem } = await granted()
  expect(await world.client.describe(someTenant, card.record)).toEqual({
    kind: 'record',
    record: {
      id: card.record,
      brand: 'visa',
      last4: card.number.slice(-4),
      expMonth: expect.any(Number),
      expYear: expect.any(Number),
      testCard: null,
    },
  })
  expect(await redeem()).toEqual({
    kind: 'card',
    card: {
      number: card.number,
      expMonth: expect.any(Number),
      expYear: expect.any(Number),
      securityCode: card.code,
      holder: null,
    },
  })
  expect(await redeem()).toEqual({ kind: 'refused' })
})

test.each([
  ['another origin', { origin: 'https://evil.shop.test' }],
  ['another port of the origin', { origin: 'https://pay.shop.test:8443' }],
  ['another cart', { cart: 'cart_other' }],
  ['another attempt', { attempt: 2 }],
  ['a grant that nobody gave', { grant: `vgr_${'x'.repeat(33)}` }],
])('%s is refused without a reason, and the right one still gets the card', async (_, change) => {
  const { redeem } = await granted()
  expect(await redeem(change)).toEqual({ kind: 'refused' })
  expect((await redeem()).kind).toBe('card')
})

test('a grant is dead after three wrong tries', async () => {
  const { redeem } = await granted()
  for (let tries = 0; tries < 3; tries++)
    expect(await redeem({ cart: `guess_${tries}` })).toEqual({ kind: 'refused' })
  expect(await redeem()).toEqual({ kind: 'refused' })
})

test('a grant is dead after five minutes', async () => {
  const { card, redeem } = await granted()
  const [row] = await world.sql<{ seconds: number }>(
    `select extract(epoch from expires_at - granted_at)::int as seconds from card_vault.grants where record_id = $1`,
    [card.record],
  )
  expect(row).toEqual({ seconds: 300 })
  await world.sql(`update card_vault.grants set expires_at = now() where record_id = $1`, [card.record])
  expect(await redeem()).toEqual({ kind: 'refused' })
})

test('fifty redemptions at once give the card to one', async () => {
  const { redeem } = await granted()
  const kinds = (await Promise.all(Array.from({ length: 50 }, () => redeem()))).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'card')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(49)
})

test('a second grant ends the first, one of an earlier lease is refused, and after a redemption there is none', async () => {
  const { ask, redeem } = await granted(5n)
  const second = await ask()
  expect(second.kind).toBe('granted')
  expect(await redeem()).toEqual({ kind: 'refused' })
  expect(await ask({ leaseToken: 4n })).toEqual({ kind: 'refused', reason: 'stale' })
  const third = await ask({ leaseToken: 6n })
  expect(await redeem({ grant: third.kind === 'granted' ? third.grant : '' })).toMatchObject({ kind: 'card' })
  expect(await ask({ leaseToken: 7n })).toEqual({ kind: 'refused', reason: 'redeemed' })
})

test('of another account or mode a record is not there', async () => {
  const { card, ask } = await granted()
  const others = [
    { ...someTenant, accountId: `acct_${'0'.repeat(25)}2` as const },
    { ...someTenant, mode: 'live' as const },
  ]
  for (const tenant of others) {
    expect(await world.client.describe(tenant, card.record)).toEqual({ kind: 'none' })
    expect(await ask({ tenant })).toEqual({ kind: 'refused', reason: 'no_record' })
    await world.client.shred(tenant, card.record)
  }
  expect((await world.client.describe(someTenant, card.record)).kind).toBe('record')
})

test('shredding destroys the record, its grant and its code, and can be repeated', async () => {
  const { card, ask, redeem } = await granted()
  for (let times = 0; times < 2; times++)
    expect(await world.client.shred(someTenant, card.record)).toEqual({ kind: 'gone' })
  expect(await world.client.describe(someTenant, card.record)).toEqual({ kind: 'none' })
  expect(await redeem()).toEqual({ kind: 'refused' })
  expect(await ask()).toEqual({ kind: 'refused', reason: 'no_record' })
  const rows = await world.sql('select 1 from card_vault.records where id = $1', [card.record])
  expect(rows).toEqual([])
})

test('the same call finds the same card and the same record, whoever lost the first answer', async () => {
  const [first, again] = [await world.issue({ key: 'one' }), await world.issue({ key: 'one' })]
  expect(again).toEqual(first)
  const other = await world.issue({ key: 'other' })
  expect(other.record).not.toBe(first.record)
})

test('sealed bytes that stand in another row open nowhere', async () => {
  const [mine, other] = [await granted(), await granted()]
  await world.sql(
    `update card_vault.records r set sealed = o.sealed from card_vault.records o where r.id = $1 and o.id = $2`,
    [mine.card.record, other.card.record],
  )
  expect(await mine.redeem()).toEqual({ kind: 'lost' })
  expect(await other.redeem()).toMatchObject({ kind: 'card', card: { number: other.card.number } })
  expect(await world.log()).toContain('sealed record does not open: authentication')
})

test('what was done with a record is written down, without a number', async () => {
  const { card, bound, redeem } = await granted()
  await redeem({ cart: 'cart_other' })
  await redeem()
  await world.client.shred(someTenant, card.record)
  const acts = await world.sql(
    'select kind, cart, origin from card_vault.acts where record_id = $1 order by seq',
    [card.record],
  )
  const { cart } = bound
  expect(acts).toEqual([
    { kind: 'sealed', cart: null, origin: null },
    { kind: 'granted', cart, origin },
    { kind: 'refused', cart, origin: null },
    { kind: 'redeemed', cart, origin },
    { kind: 'shredded', cart: null, origin: null },
  ])
})

test('a record goes by itself when its time is over, and is not there a moment before that', async () => {
  const { card, ask } = await granted()
  await world.sql('update card_vault.records set keep_until = now() where id = $1', [card.record])
  expect(await ask()).toEqual({ kind: 'refused', reason: 'no_record' })
  await world.restart()
  expect(await world.sql('select 1 from card_vault.records where id = $1', [card.record])).toEqual([])
})
