import type { ShopRequest } from '../channels/browser/shopping-words.ts'
import type { Log } from '../platform/logs/logs.ts'
import { redeemGrant } from '../platform/vault-client/browser-door.ts'
import type { Caller } from './door/shop-door.ts'
import type { CardToType, FetchCard, Visit } from './shopper/visit.ts'

type CardOptions = {
  readonly visit: Visit
  readonly request: ShopRequest
  readonly caller: Caller
  readonly vaultDoors: string | null
  readonly log: Log
}

/** The card of one order, which is asked for once: the worker for a grant, and the vault for what it is for. Nothing is repeated. */
export function cardFetcher({ visit, request, caller, vaultDoors, log }: CardOptions): {
  readonly fetch: FetchCard
  /** Whether the card was given away to be typed. */
  isHanded(): boolean
} {
  let isAsked = false
  let isHanded = false
  const fetch: FetchCard = async (origin) => {
    if (isAsked || vaultDoors === null || visit.signal.aborted || !visit.mayTakeCard(origin)) return null
    isAsked = true
    const grant = await caller.wantsCard(origin)
    if (grant === null || visit.signal.aborted) return null
    await visit.at('page.granted')
    const { cart, attempt, buyer } = request
    const redeemed = await redeemGrant(vaultDoors, { grant, cart, attempt, origin })
    if (redeemed.kind !== 'card') {
      log.warn({ cart, attempt, origin, vault: redeemed.kind }, 'browser: the vault gave no card')
      return null
    }
    if (visit.signal.aborted) return null
    isHanded = true
    const { holder, ...card } = redeemed.card
    return { ...card, holder: holder ?? buyer.name } satisfies CardToType
  }
  return { fetch, isHanded: () => isHanded }
}
