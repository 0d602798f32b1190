import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { money } from '../terminal.ts'
import type { ProductApi } from './product-api.ts'

type Action = NonNullable<PurchaseIntent['next_action']>
export type Field = NonNullable<Action['fields']>[number]

/** What a purchase waits to be told. */
export function askedFields(action: PurchaseIntent['next_action']): readonly Field[] {
  return action?.type === 'provide_input' ? (action.fields ?? []) : []
}

export function isAddressAsked(action: PurchaseIntent['next_action']): boolean {
  return askedFields(action).some(({ kind }) => kind === 'address')
}

/** What a purchase waits for, and the command that answers it; null: it waits for nobody. */
export function nextStep(api: ProductApi, purchase: PurchaseIntent): string | null {
  const { id, status, next_action: action, carts } = purchase
  if (action?.type === 'provide_input') return `${asked(api, purchase, action)} ${ending(api, purchase)}`
  switch (status) {
    case 'awaiting_approval':
      return action === null ? null : `${asked(api, purchase, action)} ${ending(api, purchase)}`
    case 'awaiting_merchant_auth':
    case 'merchant_auth_failed':
      return `It waits for a sign-in at ${action?.merchant_domain ?? 'the shop'}, which no command can do. ${ending(api, purchase)}`
    case 'queued':
    case 'approved':
      return `It is under way: follow it with ${api.command(`purchases follow ${id}`)}.${carts.every(({ can_cancel }) => can_cancel) ? ` ${ending(api, purchase)}` : ''}`
    case 'failed': {
      const doubtful = carts.find(({ failure_reason }) => failure_reason?.code === 'outcome_unknown')
      if (doubtful)
        return `Find out at ${doubtful.merchant_domain} whether it took the order, and report it with ${api.command(`purchases reconcile ${id} ${doubtful.id} placed`)} or not_placed.`
      return carts.some(({ can_retry }) => can_retry)
        ? `Try what failed again with ${api.command(`purchases retry ${id}`)}.`
        : null
    }
    default:
      return null
  }
}

function asked(api: ProductApi, purchase: PurchaseIntent, action: Action): string {
  const { id, profile_id, currency_code } = purchase
  const approve = `purchases approve ${id}`
  switch (action.type) {
    case 'reapprove_price': {
      const cap = action.proposal?.max_allowed_amount ?? purchase.max_allowed_amount
      return `It waits for an approval of another price, at most ${money(cap, currency_code)} in all: ${api.command(approve)}.`
    }
    case 'select_payment_method':
      return `It waits for a card: add one with ${api.command(`cards add CARD --profile ${profile_id}`)}, then approve it with ${api.command(`${approve} --card CARD_ID`)}.`
    case 'verify_payment':
      return action.method === 'popup' && action.url !== undefined
        ? `It waits for the person who pays: ${action.url}.`
        : `It waits for an approval and a proof of the card: ${api.command(`${approve} ${proofOption(action.method)}`)}.`
    case 'provide_input':
      if (isAddressAsked(action))
        return `It waits for an address: add one with ${api.command(`profiles addresses add ${profile_id}`)}. Then it is decided again.`
      return `It waits to be told: ${askedFields(action)
        .map(({ label }) => label)
        .join(', ')}. Tell it with ${api.command(`purchases answer ${id}`)}.`
    default:
      return `It waits for an approval: ${api.command(approve)}${action.url === undefined ? '' : `, or at ${action.url}`}.`
  }
}

/** How a person ends what waits. */
function ending(api: ProductApi, { id }: PurchaseIntent): string {
  return `${api.command(`purchases cancel ${id}`)} ends it.`
}

/** The option by which an approval proves that the card is the person's. */
export function proofOption(method: string | undefined): string {
  switch (method) {
    case 'otp':
      return '--code CODE'
    case 'passkey':
    case 'popup':
      return '--assertion TEXT'
    default:
      return '--cvc TOKEN'
  }
}
