import type { ActingContext } from '../../../contract/context.ts'
import { after } from '../../../core/backoff.ts'
import type { Id } from '../../../core/id.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { type Freezes, isFrozen } from '../../accounts/controls/public.ts'
import { type KnownSite, keepSeenSite, type PlaceOfItem } from '../../discovery/registry/public.ts'
import {
  type CartTerms,
  changeIntent,
  decideWithAddress,
  divideCap,
  domainKeyOf,
  endTokenWait,
  expireApproval,
  failureOf,
  type IntentItem,
  isTerminalCart,
  type LoadedCart,
  type LoadedIntent,
  lockPurchase,
  newCart,
  readSellers,
  type SoldItem,
  shopOfAll,
  wakeMore,
} from '../intents/public.ts'
import { type ClaimedCart, type ClaimedIntent, restIntent } from '../intents/writes.sql.ts'
import { type Means, wayFor } from './cart-state.ts'
import type { Channels, LookAtHost } from './channels.ts'
import { CartWriter } from './commit-turn.ts'
import { failCart } from './end-cart.ts'
import { isHopeless } from './give-up.ts'
import { stateOf } from './load-cart.ts'
import { chooseRoute, hostOf, readSites } from './offer/route-cart.ts'
import { isRequestSent, paidByRequest } from './requests.ts'
import { type Committed, resume, takeTurn } from './run-cart.ts'
import { pace } from './step.ts'

/**
 * Begins the execution of an intent that may run, or ends one whose approval did not arrive in time. The lease of an intent that begins
 * passes to the first cart that this process has the means for, and that cart's first turn is taken in the same transaction. The other
 * carts are left to the processes that have their means.
 */
export async function beginIntent(step: StepContext, row: ClaimedIntent, channels: Channels): Promise<void> {
  const deps: Deps = { channels, lease: step.lease }
  let begun = await beginOrEnd(step, row, deps)
  if (begun?.kind === 'unknown_sites') {
    await lookAround(step, begun)
    begun = await beginOrEnd(step, row, deps)
  }
  if (begun?.kind === 'begun') {
    await step.faults.at('route.decided')
    await resume(step, begun.cart, channels, begun.committed)
  }
  // Not in the transaction that holds the intent: a transaction that holds one purchase waits for no other.
  if (begun?.kind === 'address_given') await step.transaction(async (ctx) => wakeMore(ctx, begun.profileId))
}

/** What the sites speak is kept, so that the purchase begins with it. A look is good for longer than this step takes. */
async function lookAround(
  step: StepContext,
  { places, lookAt }: Extract<Begun, { kind: 'unknown_sites' }>,
): Promise<void> {
  const { mode } = step.tenant
  const seen = await Promise.all(places.map((place) => lookAt(place, { mode, now: step.now })))
  await step.transaction(async (ctx) => {
    for (const site of seen) keepSeenSite(ctx, site)
  })
}

async function beginOrEnd(step: StepContext, row: ClaimedIntent, deps: Deps): Promise<Begun | null> {
  try {
    return await step.transaction((ctx) => begin(ctx, row, deps), row.id)
  } catch (error) {
    if (!isHopeless(row, error)) throw error
    // Nothing was held or ordered: what fails is the first thing that is done for the intent.
    const ended = await step.transaction((ctx) => begin(ctx, row, { ...deps, isGivenUp: true }))
    step.log.error(
      { err: error, failures: row.step_failures + 1 },
      'intent: it cannot be begun and has ended',
    )
    return ended
  }
}

/** What an intent is begun with. */
type Deps = { readonly channels: Channels; readonly lease: StepContext['lease'] }

type Begun =
  | { kind: 'begun'; cart: ClaimedCart; committed: Committed }
  | { kind: 'address_given'; profileId: string }
  /** Live mode knows nothing of these sites: they are looked at, and then the intent is begun. */
  | { kind: 'unknown_sites'; places: readonly PlaceOfItem[]; lookAt: LookAtHost }

/** `isGivenUp`: each of its carts fails as soon as it is made. */
async function begin(
  ctx: ActingContext,
  row: ClaimedIntent,
  deps: Deps & { isGivenUp?: boolean },
): Promise<Begun | null> {
  const tenanted = { account_id: row.account_id, mode: row.mode }
  const { control, loaded } = await lockPurchase(ctx, row.id)
  if (!loaded) throw new Error('a claimed intent that does not exist')
  // guard lease-of-an-intent: a worker that lost its lease on an intent writes nothing
  const intent = expectHeld([loaded.intent].filter(({ lease_token }) => lease_token === row.lease_token))
  switch (intent.status) {
    case 'awaiting_approval':
      if ((await expireApproval(ctx, loaded)) !== null) return null
      return intent.ship_to === 'awaited'
        ? await lookForAddress(ctx, row, { loaded, control })
        : rest(ctx, row, intent.approval_expires_at)
    case 'approved':
    case 'queued': {
      if (loaded.carts.length > 0) return runCarts(ctx, loaded)
      // guard waits-for-its-token: a purchase that waits for a token is bought in no other way
      if (intent.pays_by_token) return await endTokenWait(ctx, loaded)
      const { unknown, ...sold } = await readSold(ctx, loaded)
      const { lookAt } = deps.channels
      if (unknown.length > 0 && lookAt !== null && !deps.isGivenUp)
        return { kind: 'unknown_sites', places: unknown, lookAt }
      const means = deps.channels.meansFor(ctx.tenant, deps.lease.remainingMs())
      const cart = await makeCarts(ctx, loaded, sold, { ...deps, means })
      const failing = { loaded, control, means }
      if (deps.isGivenUp) {
        await failCarts(ctx, { ...failing, carts: [...loaded.carts], code: 'merchant_unavailable' })
        return null
      }
      const unreachable = loaded.carts.filter(
        (one) => !deps.channels.canEverBuy(ctx.tenant.mode, one) || !isRequestSent(loaded.intent, one),
      )
      // guard unreachable-fails-at-once: a cart that no worker can ever buy does not wait for one
      await failCarts(ctx, { ...failing, carts: unreachable, code: 'merchant_unsupported' })
      if (cart === null) return null
      const state = stateOf(ctx, { loaded, control, cartId: cart.id, means })
      return {
        kind: 'begun',
        cart: { ...tenanted, ...cart, step_failures: 0 },
        committed: await takeTurn(ctx, { loaded, state, input: { kind: 'looked' } }, deps.channels),
      }
    }
    case 'awaiting_merchant_auth':
    case 'merchant_auth_failed':
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'declined':
      return rest(ctx, row, null)
    default:
      return intent.status satisfies never
  }
}

/** Waits on while there is no address, or while a freeze would make the decision useless. */
async function lookForAddress(
  ctx: ActingContext,
  row: ClaimedIntent,
  { loaded, control }: { loaded: LoadedIntent; control: Freezes | null },
): Promise<Begun | null> {
  const { profile_id: profileId, agent_id: agentId, approval_expires_at: expiresAt } = loaded.intent
  // guard frozen-until-an-address-comes: an address queues nothing that is frozen
  if (control && isFrozen(control, { profileId, agentId })) {
    const sweepAt = after(ctx.now, pace.sweepSeconds)
    return rest(ctx, row, expiresAt !== null && expiresAt < sweepAt ? expiresAt : sweepAt)
  }
  if ((await decideWithAddress(ctx, loaded)) !== null) return { kind: 'address_given', profileId }
  return rest(ctx, row, expiresAt)
}

/** `site`: what is known of it, where no merchant of ours sells the items. */
type Group = CartTerms['group'] & { key: string; site: KnownSite | null }

type Sites = ReadonlyMap<string, KnownSite>

/**
 * Makes one cart per merchant, each with its share of the cap. The first cart that this process has the means for gets the intent's
 * lease; null when it has them for none. Carts that nobody can ever buy are made too, so that they can be reported.
 */
async function makeCarts(
  ctx: ActingContext,
  loaded: LoadedIntent,
  { sold, sites }: Sold,
  deps: Deps & { readonly means: Means },
): Promise<LoadedCart | null> {
  const { intent } = loaded
  const groups = groupByMerchant(sold, sites).flatMap((group) => byRequest(ctx, group, deps))
  // A price that was quoted for several units need not be a multiple of any unit's price.
  const expected = intent.items[0]?.quote_id
    ? [intent.expected_amount]
    : groups.map(({ items }) => sumOf(items))
  const shares = divideCap(
    {
      cap: intent.max_allowed_amount,
      expected: intent.expected_amount,
      feeAllowance: intent.fee_allowance,
      taxAllowance: intent.tax_allowance,
      toleranceBasisPoints: intent.tolerance_basis_points,
    },
    expected,
  )
  const carts = groups.map((group, position): LoadedCart => {
    const share = shares[position]
    if (!share) throw new Error('a cart without its share of the cap')
    const terms = { ...routeOf(ctx, group, deps), group, position, share, expected: expected[position] ?? 0n }
    return newCart(ctx, intent, terms)
  })
  if (carts.length === 0) throw new Error('an intent without items')
  // guard lease-passes-to-what-is-served: a worker begins a purchase whose carts it cannot serve, and leaves the carts to workers that can
  const first = carts.find((cart) => wayFor({ cart, means: deps.means }) !== null) ?? null
  if (first) Object.assign(first, { lease_until: intent.lease_until, lease_token: 1n })
  changeIntent(ctx, loaded, {
    intent: { started_at: ctx.now, due_at: null, lease_until: null, items: sold.map(({ item }) => item) },
    newCarts: carts,
    events: [
      { type: 'purchase_intent.started' },
      ...carts.map(({ id }) => ({ type: 'cart.created' as const, cartId: id })),
    ],
  })
  if (carts.length > 1 || first === null) ctx.tx.wake('carts')
  return first
}

type Failing = {
  loaded: LoadedIntent
  control: Freezes | null
  means: Means
  carts: readonly LoadedCart[]
  code: 'merchant_unsupported' | 'merchant_unavailable'
}

/** A cart that the product has no way of buying fails as soon as it is made, whichever process makes it. */
async function failCarts(
  ctx: ActingContext,
  { loaded, control, means, carts, code }: Failing,
): Promise<void> {
  for (const { id } of carts) {
    const state = stateOf(ctx, { loaded, control, cartId: id, means })
    const failed = failCart(state, failureOf(code))
    await new CartWriter(ctx, loaded, state).commit(failed, { kind: 'rest', until: null })
  }
}

/** A retry: the carts exist, and those that may run and wait for nothing are due. */
function runCarts(ctx: ActingContext, loaded: LoadedIntent): null {
  const idle = loaded.carts.filter(
    (cart) => !isTerminalCart(cart.status) && cart.due_at === null && cart.lease_until === null,
  )
  changeIntent(ctx, loaded, {
    intent: { started_at: loaded.intent.started_at ?? ctx.now, due_at: null, lease_until: null },
    carts: idle.map(({ id }) => ({ id, changes: { due_at: ctx.now } })),
    events: [],
  })
  ctx.tx.wake('carts')
  return null
}

/** Who sells each item, and what is known of the sites of the others. */
type Sold = { readonly sold: readonly SoldItem<IntentItem>[]; readonly sites: Sites }

/** `unknown`: where live mode has to look first. Nothing is read of sites where merchants of ours sell everything. */
async function readSold(
  ctx: ActingContext,
  { intent }: LoadedIntent,
): Promise<Sold & { readonly unknown: readonly PlaceOfItem[] }> {
  const sold = await readSellers(ctx, intent.items)
  const elsewhere = sold.filter((one) => sellerOf(one) === null).map(({ item }) => item)
  if (elsewhere.length === 0) return { sold, sites: new Map(), unknown: [] }
  const { sites, unknown } = await readSites(
    ctx,
    elsewhere.map(({ url }) => url),
  )
  if (ctx.tenant.mode !== 'live') return { sold, sites, unknown: [] }
  const places = unknown.flatMap((host): PlaceOfItem[] => {
    const item = elsewhere.find(({ url }) => hostOf(url) === host)
    return item ? [{ host, domain: item.domain }] : []
  })
  return { sold, sites, unknown: places }
}

function routeOf(
  { tenant: { mode } }: ActingContext,
  { merchantAccountId, site }: Group,
  { channels }: Deps,
): Pick<CartTerms, 'channel' | 'route'> {
  if (merchantAccountId !== null) return { channel: 'native' }
  return chooseRoute({ mode, site, excluded: [] }, (channel) =>
    channels.canEverBuy(mode, { channel, merchant_account_id: null }),
  )
}

/**
 * If the purchase was made with a merchant of ours, the group is that merchant's. Otherwise it is that of a site of the registry, and what
 * is at no such site is grouped by registrable domain. Where a merchant of ours sells today what no merchant of ours sold when the
 * purchase was made, the cart belongs to that merchant and fails before anything is asked of it.
 */
function groupByMerchant(sold: readonly SoldItem<IntentItem>[], sites: Sites): Group[] {
  const groups = new Map<string, Group>()
  for (const one of sold) {
    const { item, now } = one
    const merchantAccountId = sellerOf(one)
    const site = merchantAccountId === null ? (sites.get(hostOf(item.url)) ?? null) : null
    const key = merchantAccountId ?? site?.id ?? domainKeyOf(item)
    const group = groups.get(key)
    if (group) group.items.push(item)
    else {
      const name = now?.account_id === merchantAccountId ? now?.name : (site?.name ?? site?.site_name)
      groups.set(key, { key, name: name ?? '', domain: '', merchantAccountId, site, items: [item] })
    }
  }
  return [...groups.values()].map((group) => {
    const domain = group.site?.host ?? shopOfAll(group.items)
    return { ...group, domain, name: group.name || domain }
  })
}

/** A paid request is a cart of its own. */
function byRequest(ctx: ActingContext, group: Group, deps: Deps): Group[] {
  if (routeOf(ctx, group, deps).channel !== paidByRequest) return [group]
  return group.items.map((item) => ({ ...group, key: `${group.key} ${item.id}`, items: [item] }))
}

function sellerOf({ item, now }: SoldItem<IntentItem>): Id<'acct'> | null {
  // guard bought-from-whom-it-was-made-with: execution buys from the merchant that the purchase was made with
  return (item.merchant?.account_id ?? now?.account_id ?? null) as Id<'acct'> | null // a merchant row's own
}

function sumOf(items: readonly IntentItem[]): bigint {
  return items.reduce((sum, item) => sum + BigInt(item.unit_amount) * BigInt(item.quantity), 0n)
}

function rest(ctx: ActingContext, row: ClaimedIntent, dueAt: Date | null): null {
  ctx.tx.write(restIntent({ account_id: row.account_id, mode: row.mode, id: row.id, due_at: dueAt }))
  return null
}
