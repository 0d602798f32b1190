import { randomUUID } from 'node:crypto'
import { createMppChannel } from '../../src/channels/mpp/mpp.ts'
import type {
  Buyer,
  ChannelCall,
  ChannelItem,
  Offer,
  OfferRequest,
  PlaceRequest,
} from '../../src/domain/buying/channels/port.ts'
import { issuingTokens } from '../../src/domain/buying/rails/issuing-tokens.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { createStripeRail } from '../../src/rails/stripe/stripe.ts'
import { createStripeIssuer } from '../../src/rails/stripe/token-issuer.ts'
import { chargingBy, startPaidApi } from './paid-api.ts'
import { startSandbox } from './sandbox.ts'
import { stripeAgentKey, stripeTestKey } from './stripe.ts'

export const call: ChannelCall = { mode: 'test', share: 'buyer', timeoutMs: 8_000 }
const merchant = 'kiosk.example'
/** The profile of the simulator's seller, which the paid API is there. */
export const kioskNetwork = 'profile_test_sandbox'
const buyer: Buyer = {
  name: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: null,
  shipTo: null,
  billTo: null,
}

/** A paid API that charges at the processor, and carts that are bought from it over MPP. */
export async function startPaidCarts() {
  const sandbox = await startSandbox()
  const egress = createEgress({
    allowLoopback: (mode) => mode === 'test',
    trustedOrigins: [sandbox.processorUrl, sandbox.stripeUrl],
  })
  const at = { url: sandbox.stripeUrl, egress }
  const issuer = createStripeIssuer({ ...at, secretKey: new Secret(stripeAgentKey) })
  const rail = issuingTokens(createSandboxRail({ url: sandbox.processorUrl, egress }), issuer)
  const seller = createStripeRail({
    ...at,
    secretKey: new Secret(stripeTestKey),
    cardholder: null,
    vault: null,
    publicUrl: null,
  })
  const [byRail, byStripe] = [chargingBy(rail, () => merchant), chargingBy(seller, () => merchant)]
  const api = await startPaidApi({
    charge: (payment) => (payment.method === 'stripe' ? byStripe(payment) : byRail(payment)),
  })

  async function credential(limit: bigint, id: string, withStripe: boolean): Promise<string> {
    const issued = await rail.issueCredential(
      {
        key: `credential:${id}`,
        card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
        limit,
        currency: 'USD',
        merchant,
        expiresAt: new Date(Date.now() + 3_600_000),
        reference: id,
        ...(withStripe ? { seller: kioskNetwork } : {}),
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
    const reference = await credential(limit, id, withStripe)
    const open = () =>
      createMppChannel({ egress, ...(now ? { now } : {}), tokenModes: withStripe ? ['test'] : [] })
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
