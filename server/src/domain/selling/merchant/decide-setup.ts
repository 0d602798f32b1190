import type { Mode } from '../../../contract/context.ts'
import type { Merchant, MerchantRequirement, MerchantRow } from './merchant.ts'
import type { SetupFacts } from './port.ts'

type Setup = Pick<Merchant, 'status' | 'capabilities' | 'requirements' | 'blockers'>

/** The columns of a merchant's record that its setup depends on. */
export type SetUpRow = Pick<
  MerchantRow,
  'account_id' | 'mode' | 'slug' | 'domain' | 'domain_verified_at' | 'verification_token'
>

/** What a merchant still has to do, and what it can do already. */
export function decideSetup(row: SetUpRow, facts: SetupFacts): Setup {
  const requirements = requirementsOf(row, facts)
  const due = requirements.filter(({ state }) => state !== 'satisfied')
  const ready = row.mode === 'test' ? 'test_ready' : 'live_ready'
  const isFree = (capability: 'catalog' | 'quotes' | 'orders') =>
    !due.some(({ blocking }) => blocking.includes(capability))
  const blockers = due.filter(({ blocking }) => blocking.includes(ready)).map(({ code }) => code)
  // The slug is in the addresses by which others buy from it.
  const isSoldFrom = row.slug !== null && isFree('orders')
  return {
    status: blockers.length === 0 ? ready : 'setup',
    capabilities: {
      catalog: isFree('catalog'),
      quotes: isFree('quotes'),
      orders: isFree('orders'),
      ucp: isSoldFrom,
      mpp: isSoldFrom,
    },
    requirements,
    blockers,
  }
}

function requirementsOf(row: SetUpRow, facts: SetupFacts): MerchantRequirement[] {
  const ready = row.mode === 'test' ? ('test_ready' as const) : ('live_ready' as const)
  // Strangers may name a live merchant, and so ask it for a price, once everything is in place.
  const shown = row.mode === 'test' ? ([ready] as const) : (['quotes', ready] as const)
  return [
    requirement('slug', row.slug !== null, ['quotes', ready], {
      due: 'Quotes name a merchant by its slug.',
      fix: 'Send `slug` to POST /v1/merchant.',
    }),
    requirement('domain', row.domain !== null, ['orders', ...shown], {
      due: 'Purchases find a merchant by the domain of the item.',
      fix: 'Send `domain` to POST /v1/merchant.',
    }),
    requirement('domain_verification', row.domain_verified_at !== null, verificationBlocks(row.mode), {
      due: "While the domain is not verified, only purchases of the merchant's own account reach the merchant.",
      fix: `Publish the DNS TXT record prokura-verification=${row.verification_token}, or the same text as https://${row.domain ?? 'your domain'}/.well-known/prokura-verification.txt. Then call POST /v1/merchant/verify_domain.`,
    }),
    requirement('catalog_item', facts.published_items > 0, ['catalog', 'orders', ...shown], {
      due: 'No published item is for sale.',
      fix: 'Create an item with POST /v1/merchant/catalog_items and publish it.',
    }),
    requirement('order_destination', facts.order_destinations > 0, ['orders', ...shown], {
      due: 'No destination is notified of an order that waits for confirmation.',
      fix: 'Create a destination for order.requested, order.confirmed and order.rejected with POST /v1/merchant/destinations, and answer its destination.test with a 2xx.',
    }),
    requirement('quote_responder', facts.quote_responders > 0, ['quotes'], {
      due: 'No destination answers quote.requested.',
      fix: 'Create a destination with `responds_to_quotes: true` with POST /v1/merchant/destinations, and answer its destination.test with a 2xx.',
    }),
  ]
}

/** In test mode the own account can try everything on a domain that is only claimed. */
function verificationBlocks(mode: Mode): MerchantRequirement['blocking'] {
  return mode === 'live' ? ['orders', 'quotes', 'live_ready'] : []
}

function requirement(
  code: MerchantRequirement['code'],
  isMet: boolean,
  blocking: MerchantRequirement['blocking'],
  texts: { due: string; fix: string },
): MerchantRequirement {
  return {
    code,
    state: isMet ? 'satisfied' : 'currently_due',
    blocking,
    message: isMet ? 'Done.' : texts.due,
    fix: isMet ? null : texts.fix,
  }
}
