import type { BrowserPort } from '../../../src/channels/browser/browser-port.ts'
import type { Offer, ShopRequest } from '../../../src/channels/browser/shopping-words.ts'
import type { GrantCard } from '../../../src/domain/buying/execution/card-grant.ts'
import type { ModelRail } from './rail.ts'
import { offeredBy, readUrl, type Scenario, scenarioOf } from './scenarios.ts'

/** Shops that are nothing but pages, with the browser that visits them and the vault whose cards it types, in this process. */
type ModelPages = { readonly browser: BrowserPort; readonly grantCard: GrantCard }

type Grant = { readonly record: string; readonly attempt: string; readonly origin: string }

export function createModelPages(rail: ModelRail): ModelPages {
  const grants = new Map<string, Grant>()
  const typed = new Set<string>()

  /** A card is typed once in an attempt, and into the page that it was granted for. */
  function redeem(grant: string | null, { attempt, origin }: Omit<Grant, 'record'>): string | null {
    const granted = grant === null ? undefined : grants.get(grant)
    if (granted?.attempt !== attempt || granted.origin !== origin || typed.has(attempt)) return null
    typed.add(attempt)
    return granted.record
  }

  return {
    async grantCard({ record, cart, attempt, origin }) {
      const name = `${cart}:${attempt}`
      if (typed.has(name)) return { kind: 'refused', reason: 'redeemed' }
      const grant = `grant ${grants.size + 1}`
      grants.set(grant, { record, attempt: name, origin })
      return { kind: 'granted', grant }
    },
    browser: {
      async price(request) {
        const scenario = scenarioAt(request)
        if (scenario === 'silent') return { kind: 'unavailable', why: 'nobody answers' }
        if (scenario === 'out_of_stock')
          return { kind: 'refused', code: 'product_out_of_stock', message: null }
        if (scenario === 'sign_in')
          return { kind: 'sign_in', isRefused: false, message: null, host: null, session: null }
        return { kind: 'offer', offer: offerAt(request), promo: null }
      },
      async place(request, offer, { grant }) {
        const scenario = scenarioAt(request)
        const [attempt, origin] = [attemptOf(request), request.site]
        if (scenario === 'lost_not_placed') return { kind: 'unknown', why: 'the page broke off' }
        const record = redeem(await grant(origin), { attempt, origin })
        if (record === null)
          return { kind: 'refused', code: 'merchant_unavailable', message: null, isTyped: false }
        if (scenario === 'rejected')
          return { kind: 'refused', code: 'order_rejected_by_merchant', message: 'No', isTyped: true }
        if (scenario === 'stuck' || scenario === 'mute_uncharged')
          return { kind: 'unknown', why: 'no confirmation was read' }
        const charged = rail.charge({
          key: `page:${attempt}`,
          credential: rail.credentialOf(record),
          amount: offer.total,
          merchant: request.merchantDomain,
        })
        if ('code' in charged)
          return { kind: 'refused', code: 'payment_declined', message: null, isTyped: true }
        if (isLost(scenario)) return { kind: 'unknown', why: 'no confirmation was read' }
        const orderUrl = `https://${request.merchantDomain}/orders/${encodeURIComponent(attempt)}`
        return { kind: 'placed', orderId: `P-${attempt}`, orderUrl }
      },
      product: async () => ({ kind: 'unavailable', why: 'nobody looks at these pages' }),
      way: async () => ({ kind: 'unavailable', why: 'nobody looks at these pages' }),
      health: async () => null,
    },
  }
}

/** A page is gone with its browser, and nobody can be asked what it would have said: only the rail knows of the charge. */
function isLost(scenario: Scenario): boolean {
  return scenario === 'late' || scenario === 'lost_placed' || scenario === 'mute_charged'
}

function attemptOf({ cart, attempt }: ShopRequest): string {
  return `${cart}:${attempt}`
}

function scenarioAt({ items, attempt }: ShopRequest): Scenario {
  return scenarioOf(
    items.map(({ url }) => readUrl(url)),
    attempt,
  )
}

function offerAt(request: ShopRequest): Offer {
  const { items, attempt, fulfillment, currency } = request
  const wanted = items.map(({ url, unitAmount, quantity }) => ({
    ...readUrl(url),
    unit: Number(unitAmount),
    quantity,
  }))
  const asked = offeredBy(wanted, { attempt, feeAllowance: Number(fulfillment.feeAllowance) })
  return {
    lines: items.map(({ id, quantity }, index) => ({
      itemId: id,
      quantity,
      unitAmount: BigInt(asked.units[index] ?? 0),
      title: null,
    })),
    subtotal: BigInt(asked.subtotal),
    fulfillment: BigInt(asked.fee),
    tax: BigInt(asked.tax),
    discount: 0n,
    total: BigInt(asked.total),
    currency,
    reference: `page of ${attemptOf(request)}`,
  }
}
