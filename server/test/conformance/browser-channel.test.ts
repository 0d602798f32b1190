import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { browserChannel } from '../../src/channels/browser/browser.ts'
import type {
  Buyer,
  BuyingChannel,
  Offer,
  OfferRequest,
  PlaceRequest,
  PostalAddress,
} from '../../src/domain/buying/channels/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { hasChromium } from '../harness/browser.ts'
import { createTestDatabase } from '../harness/database.ts'
import { openPages } from '../harness/pages.ts'
import { startSandbox } from '../harness/sandbox.ts'
import { someTenant } from '../harness/vault.ts'
import { type CartUnderTest, conformsToBuyingChannel, type Disposition } from './buying-channel.ts'

const call = { mode: 'test', share: 'buyer', timeoutMs: 240_000 } as const

const home: PostalAddress = {
  recipientName: 'Ada Lovelace',
  line1: '1 Main St',
  line2: null,
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
  country: 'US',
}

type Kind = { shop: string; path: string; unitAmount: bigint; quantity?: number }

const kinds: Readonly<Record<Disposition, Kind>> = {
  ok: { shop: 'classic', path: 'kettle', unitAmount: 4_900n },
  out_of_stock: { shop: 'classic', path: 'sold-out', unitAmount: 4_900n },
  too_few: { shop: 'classic', path: 'last-two', unitAmount: 4_900n, quantity: 3 },
  dearer: { shop: 'classic', path: 'kettle', unitAmount: 4_000n },
  refuses: { shop: 'hostile', path: 'charges-more', unitAmount: 2_000n },
}

/** The shops with pages, a browser, a vault, and carts whose card is limited to what the page said. */
async function openWorld() {
  const [sandbox, database] = [await startSandbox(), await createTestDatabase()]
  const pages = await openPages(database.url, sandbox)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [sandbox.processorUrl] })
  const rail = createSandboxRail({ url: sandbox.processorUrl, egress, vault: pages.vault })
  const opened = browserChannel.open({ browser: pages.browser })
  if (opened === null) throw new Error('there is no browser')
  const channel: BuyingChannel = opened

  async function cart(disposition: Disposition): Promise<CartUnderTest> {
    const { shop, path, unitAmount, quantity = 1 } = kinds[disposition]
    const id = `cart_${randomBytes(8).toString('hex')}`
    const buyer: Buyer = {
      name: 'Ada Lovelace',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: `${id}@example.com`,
      phone: null,
      shipTo: home,
      billTo: home,
    }
    const site = `https://${shop}.shop.test`
    const item = { id: 'item_1', url: `${site}/product/${path}`, quantity, unitAmount, variant: null }
    const shared: Omit<OfferRequest, 'cartKey' | 'currency'> = {
      buyer,
      merchantDomain: 'shop.test',
      site,
      items: [item],
      fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 2_000n },
      promoCode: null,
    }
    let card: Promise<{ reference: string; record: string }> | null = null
    const issue = async (offer: Offer) => {
      const issued = await rail.issueCredential(
        {
          key: `${id}:issue`,
          card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
          limit: offer.total,
          currency: offer.currency,
          merchant: 'shop.test',
          expiresAt: new Date(Date.now() + 3_600_000),
          reference: id,
          vaultOf: someTenant.accountId,
        },
        { mode: 'test', timeoutMs: 20_000 },
      )
      if (issued.kind !== 'done' || !issued.value.record) throw new Error('no card')
      return { reference: issued.value.reference, record: issued.value.record }
    }
    let known: Offer | null = null
    const sent = async (offer: Offer): Promise<PlaceRequest> => {
      card ??= issue(offer)
      const { reference, record } = await card
      return {
        ...shared,
        key: `${id}:1:place`,
        offer,
        instrument: {
          kind: 'credential',
          form: 'card',
          reference,
          async grant(origin) {
            const asked = { tenant: someTenant, record, cart: id, attempt: 1, origin, leaseToken: 1n }
            const granted = await pages.vault.grant(asked)
            return granted.kind === 'granted' ? granted.grant : null
          },
        },
        reference: id,
      }
    }
    return {
      item,
      async offer() {
        const answer = await channel.offer({ ...shared, cartKey: `${id}:1`, currency: 'USD' }, call)
        if (answer.kind === 'offer') known = answer.offer
        return answer
      },
      place: async (offer) => channel.place(await sent(offer), call),
      ask: async () => channel.ask(await sent(known ?? noOffer), call),
      async close() {
        const request = await sent(known ?? noOffer)
        if (request.instrument.kind === 'credential') {
          const { reference } = request.instrument
          await rail.revoke({ key: `revoke:${reference}`, reference }, { mode: 'test', timeoutMs: 20_000 })
        }
        return channel.close(request, call)
      },
      decide: async () => undefined,
      async orders() {
        const log: { kind: string; result: string; email: string | null }[] = JSON.parse(
          await (await fetch(`${sandbox.strangersUrl}/${shop}/log`)).text(),
        )
        return log.filter(
          ({ kind, result, email }) => kind === 'charge' && result === 'authorized' && email === buyer.email,
        ).length
      },
    }
  }
  return {
    cart,
    forgetsRefusals: true,
    async stop() {
      await pages.stop()
      await egress.close()
      await sandbox.stop()
      await database.drop()
    },
  }
}

/** For whoever asks about an order that was never even priced. */
const noOffer: Offer = {
  reference: null,
  lines: [],
  subtotal: 5_832n,
  fulfillment: 0n,
  tax: 0n,
  discount: 0n,
  total: 5_832n,
  currency: 'USD',
}

describe.runIf(hasChromium)('pages', () => {
  conformsToBuyingChannel('browser', openWorld, { closedBy: 'rail' })
})
