import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CardToType, FetchCard } from '../../src/browser/shopper/visit.ts'
import type { ShopPlaced } from '../../src/channels/browser/shopping-words.ts'
import {
  type BrowserWorld,
  hasChromium,
  shopRequest,
  someOffer,
  startBrowserWorld,
} from '../harness/browser.ts'
import { someTenant, startVaultWorld, type VaultWorld } from '../harness/vault.ts'

/** The card goes from the vault into the visit, and nowhere else: real vault, real sockets. */
describe.skipIf(!hasChromium)('the card of an order', () => {
  let vault: VaultWorld
  let world: BrowserWorld
  beforeAll(async () => {
    vault = await startVaultWorld()
    world = await startBrowserWorld({ vaultDoors: vault.doors }, vault.sandbox)
  })
  afterAll(async () => {
    await world?.stop()
    await vault?.stop()
  })

  const request = shopRequest('classic', { cart: 'cart_card', attempt: 3 })
  const placed: ShopPlaced = { kind: 'placed', orderId: '1', orderUrl: null }

  /** An order whose shopper fetches the card as `work` does; the worker grants for what it is asked, unless `grant` says otherwise. */
  async function order(
    work: (fetch: FetchCard) => Promise<ShopPlaced>,
    {
      record,
      cart = request.cart,
      grant,
    }: { record: string; cart?: string; grant?: () => Promise<string | null> },
  ) {
    const wishes: string[] = []
    world.order = (_visit, _request, _offer, fetch) => work(fetch)
    const said = await world.port.place(request, someOffer, {
      mode: 'test',
      share: 'buyer',
      signal: new AbortController().signal,
      onEvidence: () => undefined,
      async grant(origin) {
        wishes.push(origin)
        if (grant !== undefined) return grant()
        const bound = { cart, attempt: request.attempt, origin, leaseToken: 1n }
        const answer = await vault.client.grant({ tenant: someTenant, record, ...bound })
        return answer.kind === 'granted' ? answer.grant : null
      },
    })
    return { said, wishes }
  }

  test('is that of the grant, with the name of the buyer, and is given once', async () => {
    const { record, number, code } = await vault.issue()
    const cards: (CardToType | null)[] = []
    const fetchTwice = async (fetch: FetchCard) => {
      cards.push(await fetch('https://classic.shop.test'), await fetch('https://classic.shop.test'))
      return placed
    }
    expect(await order(fetchTwice, { record })).toEqual({
      said: placed,
      wishes: ['https://classic.shop.test'],
    })
    expect(cards).toEqual([
      {
        number,
        expMonth: expect.any(Number),
        expYear: expect.any(Number),
        securityCode: code,
        holder: 'Ada Lovelace',
      },
      null,
    ])
    expect(await world.log()).not.toContain(number)
  })

  test.each([
    'https://collect.evil.test',
    'http://classic.shop.test',
    'https://classic.shop.test:8443',
    'https://acs.bank.test',
    'https://messy.shop.test',
    'null',
  ])('is not even asked for where it may not be typed: %s', async (origin) => {
    const { record } = await vault.issue()
    const fetchThere = async (fetch: FetchCard): Promise<ShopPlaced> => ({
      kind: 'unknown',
      why: String(await fetch(origin)),
    })
    expect(await order(fetchThere, { record })).toEqual({
      said: { kind: 'unknown', why: 'null' },
      wishes: [],
    })
  })

  test.each([
    ['the worker gives none', { grant: () => Promise.resolve(null) }],
    ['the grant is nobody’s', { grant: () => Promise.resolve(`vgr_${'x'.repeat(33)}`) }],
    ['the grant is for another cart', { cart: 'cart_other' }],
  ])('is not there where %s', async (_, more) => {
    const { record } = await vault.issue()
    const fetchOnce = async (fetch: FetchCard): Promise<ShopPlaced> => ({
      kind: 'unknown',
      why: String(await fetch('https://fields.pay.test')),
    })
    const { said, wishes } = await order(fetchOnce, { record, ...more })
    expect([said, wishes]).toEqual([{ kind: 'unknown', why: 'null' }, ['https://fields.pay.test']])
  })

  test('makes an order that breaks off unknown, and one that broke off before it refused', async () => {
    const { record } = await vault.issue()
    const breakOff = () => Promise.reject(new Error('the page is gone'))
    const after = await order(
      async (fetch) => {
        await fetch('https://page.pay.test')
        return breakOff()
      },
      { record },
    )
    expect(after.said).toMatchObject({ kind: 'unknown' })
    const before = await order(breakOff, { record: (await vault.issue()).record })
    expect(before.said).toMatchObject({ kind: 'refused', code: 'merchant_unavailable', isTyped: false })
  })

  test('a worker that cannot write down that it may be used ends the visit, and says why', async () => {
    const { record } = await vault.issue()
    const fetched = Promise.withResolvers<CardToType | null>()
    const asked = order(
      async (fetch) => {
        fetched.resolve(await fetch('https://classic.shop.test'))
        return placed
      },
      { record, grant: () => Promise.reject(new Error('no database')) },
    )
    await expect(asked).rejects.toThrow('no database')
    expect(await fetched.promise).toBeNull()
  })
})
