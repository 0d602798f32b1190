import type { CallContext } from '../../../../contract/context.ts'
import { toWire } from '../../../../core/money.ts'
import { type AskedLook, findLooks, type LookRequest } from '../../looks/public.ts'
import type { PurchasePlan } from '../create/plan-purchase.ts'
import { type PreviewCart, placeOf } from './preview-carts.ts'

/** How many shops one preview looks at. */
const looksMax = 10

/** The looks at the shops of some carts, by the place of the cart. */
export type CartLooks = ReadonlyMap<number, AskedLook>

/** Which shops have to be looked at, and what is known of them already. */
export async function findCartLooks(
  ctx: Pick<CallContext, 'tenant' | 'reads' | 'now'>,
  plan: PurchasePlan,
  { carts, feeAllowances }: { carts: readonly PreviewCart[]; feeAllowances: readonly bigint[] },
): Promise<CartLooks> {
  const wanted = carts
    .flatMap((cart, position) => {
      const request = lookFor(plan, cart, feeAllowances[position] ?? 0n)
      return request === null ? [] : [{ position, request }]
    })
    .slice(0, looksMax)
  const looks = await findLooks(
    ctx,
    wanted.map(({ request }) => request),
  )
  return looksByCart(
    wanted.map(({ position }) => position),
    looks,
  )
}

export function looksByCart(positions: Iterable<number>, looks: readonly AskedLook[]): CartLooks {
  return new Map(
    [...positions].flatMap((position, index): [number, AskedLook][] => {
      const look = looks[index]
      return look ? [[position, look]] : []
    }),
  )
}

/** Null: there is nothing to see, or something else would be bought. */
function lookFor(plan: PurchasePlan, { site, lines }: PreviewCart, feeAllowance: bigint): LookRequest | null {
  if (site === null || site.channel === 'mpp' || site.ways.length === 0) return null
  if (lines.some(({ item }) => item.request !== undefined)) return null
  const { method, speed } = plan.fulfillment
  return {
    aim: 'price',
    site: site.origin,
    items: lines.map(({ item: { url, quantity, variant } }) => ({ url, quantity, variant })),
    currency: plan.currency,
    method,
    speed,
    // Only by it what is fast is chosen.
    feeAllowance: speed === 'fastest' ? toWire(feeAllowance) : null,
    place: method === 'ship' ? placeOf(plan.fulfillment) : null,
  }
}
