import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { CommandFailure } from '../failure.ts'
import { type ProductApi, Refusal } from './product-api.ts'
import { isAddressAsked, nextStep } from './say-next.ts'
import { hasEnded } from './timeline.ts'

const reason = 'The command ended before anybody had decided.'

/**
 * After a command that made a purchase ends for whatever reason: what nobody has decided is cancelled, and of what stays it says so, and
 * what ends it.
 */
export async function settleOpen(api: ProductApi, id: string): Promise<string> {
  const path = `/v1/purchase_intents/${id}`
  try {
    const purchase: PurchaseIntent = await api.get(path)
    if (!isUndecided(purchase)) return whatStays(api, purchase)
    return await api.post(`${path}/cancel`, { reason }).then(
      (cancelled: PurchaseIntent) => whatStays(api, cancelled),
      async (error: unknown) => {
        // Somebody has decided at the same moment, or a shop has sold it.
        if (error instanceof Refusal) return whatStays(api, await api.get(path))
        throw error
      },
    )
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return `Whether ${id} is still open is not known: ${api.command(`purchases show ${id}`)} says it, and ${api.command(`purchases cancel ${id}`)} ends it.`
  }
}

/** Whether it could be bought later without anybody having agreed to it. */
function isUndecided({ status, next_action: action }: PurchaseIntent): boolean {
  if (status !== 'awaiting_approval') return false
  if (action?.type === 'provide_input') return isAddressAsked(action)
  // A shop of the live rail is paid already, and its person has a page to confirm it on.
  return !(action?.type === 'verify_payment' && 'url' in action)
}

function whatStays(api: ProductApi, purchase: PurchaseIntent): string {
  const { id, summary } = purchase
  if (hasEnded(purchase)) return `${id}: ${summary}`
  return `${id} stays: ${summary} ${nextStep(api, purchase) ?? ''}`.trimEnd()
}
