import { randomUUID } from 'node:crypto'
import { createMppChannel } from '../../src/channels/mpp/mpp.ts'
import type { SharedTokens } from '../../src/channels/mpp/payer.ts'
import type {
  Buyer,
  ChannelItem,
  Offer,
  OfferRequest,
  PlaceRequest,
} from '../../src/domain/buying/execution/port.ts'
import type { Call } from '../../src/domain/buying/execution/rail/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { chargingBy, startPaidApi } from './paid-api.ts'
import { startSandbox } from './sandbox.ts'
import { stripeSimulator } from './stripe.ts'

export const call: Call = { mode: 'test', timeoutMs: 8_000 }
const merchant = 'kiosk.example'
const buyer: Buyer = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: null,
  shipTo: null,
  billTo: null,
}

/** A paid API that charges at the processor, and carts that are bought from it over MPP. */
export async function startPaidCarts() {
  const sandbox = await startSandbox()
  const stripe = stripeSimulator(sandbox)
  const egress = createEgress({
    allowLoopback: (mode) => mode === 'test',
    trustedOrigins: [sandbox.processorUrl],
  })
  const rail = createSandboxRail({ url: sandbox.processorUrl, egress })
  const tokens = new Map<string, string>()
  const byRail = chargingBy(rail, () => merchant)
  const api = await startPaidApi({
    async charge(payment) {
      if (payment.method !== 'stripe') return await byRail(payment)
      const isGranted = [...tokens.values()].includes(String(payment.payload.spt))
      return isGranted ? { paid: `pi_${payment.key.slice(0, 8)}` } : { declined: 'no such token' }
    },
  })
  /** Grants what an agent would have granted: one token for each key. */
  const sharedTokens: SharedTokens = {
    test: {
      async issue({ key, amount, currency }) {
        const token = tokens.get(key) ?? (await stripe.grant({ currency, max_amount: Number(amount) }))
        tokens.set(key, token)
        return { kind: 'issued', token }
      },
    },
  }

  async function credential(limit: bigint, id: string): Promise<string> {
    const issued = await rail.issueCredential(
      {
        key: `credential:${id}`,
        card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
        limit,
        currency: 'USD',
        merchant,
        expiresAt: new Date(Date.now() + 3_600_000),
        reference: id,
      },
      call,
    )
    if (issued.kind !== 'done') throw new Error('no credential')
    return issued.value.reference
  }

  /** A cart of what is at a path; every process that buys it has a channel of its own. */
  async function cart(
    path: string,
    more: Partial<ChannelItem> & { limit?: bigint; now?: () => Date; withStripe?: boolean } = {},
  ) {
    const { limit = 10_000n, now, withStripe = false, ...own } = more
    const id = randomUUID()
    const reference = await credential(limit, id)
    const open = () =>
      createMppChannel({ egress, ...(now ? { now } : {}), ...(withStripe ? { sharedTokens } : {}) })
    let channel = open()
    const item: ChannelItem = {
      id: 'item_1',
      url: `https://${api.host}${path}`,
      quantity: 1,
      unitAmount: 1250n,
      variant: null,
      ...own,
    }
    const common = { buyer, merchantDomain: merchant, site: api.origin, items: [item] }
    const fulfillment = { method: 'digital', speed: 'cheapest', feeAllowance: 0n } as const
    const asked: OfferRequest = { ...common, cartKey: id, currency: 'USD', fulfillment, promoCode: null }
    const sent = (offer: Offer, changed: Partial<PlaceRequest> = {}): PlaceRequest => ({
      ...common,
      key: `${id}:1:place`,
      offer,
      fulfillment: { method: 'digital', speed: 'cheapest', feeAllowance: 0n },

      promoCode: null,
      instrument: { kind: 'credential', form: 'challenge', reference },
      reference: id,
      ...changed,
    })
    return {
      id,
      item,
      reference,
      offer: (as: Partial<OfferRequest> = {}, how = call) => channel.offer({ ...asked, ...as }, how),
      place: (offer: Offer, changed?: Partial<PlaceRequest>) => channel.place(sent(offer, changed), call),
      ask: (offer: Offer) => channel.ask(sent(offer), call),
      close: (offer: Offer) => channel.close(sent(offer), call),
      revoke: () => rail.revoke({ key: `revoke:${id}`, reference }, call),
      /** What the rail says of the credential. */
      async standing() {
        const read = await rail.get('credential', reference, call)
        return read.kind === 'done' ? `${read.value.status} ${read.value.capturedAmount}` : read.kind
      },
      /** Another process goes on, which knows nothing of what this one did. */
      restart: () => {
        channel = open()
      },
      sold: () => api.sold(path).length,
      requests: () => api.requests(path),
    }
  }

  return {
    api,
    cart,
    async stop() {
      await api.stop()
      await egress.close()
      await sandbox.stop()
    },
  }
}
