import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import type { ActionRequest, ChatPart, ProductCard, PurchaseSummary } from '../../domain/chats/parts.ts'
import { addressLines } from '../purchases/approval-link.ts'
import { addressLine, nameOf, shippingAddress } from '../purchases/people.ts'
import type { ProductApi } from '../purchases/product-api.ts'
import { row } from '../purchases/say-terms.ts'
import { money, plain, styled } from '../terminal.ts'

type For = { readonly api: ProductApi; readonly profile: Profile }

/** What a person sees of a part, line by line. */
export function partLines(part: ChatPart, { api, profile }: For): string[] {
  switch (part.type) {
    case 'text':
      return part.text.split('\n')
    case 'notice':
      return [styled('yellow', part.text)]
    case 'product_list':
      return part.products.flatMap((product, index) => cardLines(product, index + 1))
    case 'purchase_intent':
      return purchaseLines(part, profile)
    case 'action_request':
      return actionLines(part, api)
    case 'quote':
      return [row('quote', `${part.quote_id}, ${part.status}`)]
    case 'tool_call':
      return [styled('dim', `  ${part.name.replace(/^v1_/, '').replaceAll('_', ' ')} …`)]
    // The agent says what it made of an answer, and what comes later is for newer commands.
    default:
      return []
  }
}

/** Its number is what "the second one" means. */
function cardLines(card: ProductCard, number: number): string[] {
  const { title, merchant, amount, currency, options, is_available } = card
  const price = amount === null || currency === null ? 'no price' : money(amount, currency)
  const facts = [
    merchant,
    ...options.map(({ name, values }) => `${name}: ${values.join(', ')}`),
    is_available ? null : 'not available',
  ].filter((fact) => fact !== null && fact !== '')
  return [
    `${styled('cyan', `${number}.`.padStart(4))} ${styled('bold', plain(title))}  ${styled('green', price)}`,
    ...(facts.length === 0 ? [] : [`     ${styled('dim', plain(facts.join(' · ')))}`]),
  ]
}

function purchaseLines(part: PurchaseSummary, profile: Profile): string[] {
  const { purchase_intent_id: id, status, currency, merchants, delivery, actual_amount } = part
  const { method, speed, address_id } = delivery
  const address = shippingAddress(profile, address_id)
  const to = address === null ? '' : ` to ${addressLine(address)}`
  const isShipped = method === 'ship'
  return [
    ...part.items.map(({ title, quantity }) => row('buy', styled('bold', plain(`${quantity} × ${title}`)))),
    row('from', plain(merchants.join(', '))),
    row('items', money(part.expected_amount, currency)),
    row('at most', `${styled('bold', money(part.max_allowed_amount, currency))}, delivery and tax included`),
    row('delivery', plain(isShipped ? `shipped${to} (${speed})` : `${method}, to ${nameOf(profile)}`)),
    ...(part.returns === null ? [] : [row('returns', plain(part.returns))]),
    ...(actual_amount > 0 ? [row('charged', styled('green', money(actual_amount, currency)))] : []),
    row('purchase', `${styled(colorOf(part), status.replaceAll('_', ' '))}${styled('dim', `  ${id}`)}`),
    ...(part.failure_code === null ? [] : [row('failed', styled('red', part.failure_code))]),
  ]
}

function colorOf({ status, needs_person }: PurchaseSummary) {
  if (status === 'succeeded') return 'green'
  if (status === 'failed' || status === 'declined') return 'red'
  return needs_person ? 'yellow' : 'cyan'
}

function actionLines({ element, url, purchase_intent_id: id }: ActionRequest, api: ProductApi): string[] {
  if (url === null)
    return [styled('yellow', `It waits for a person: ${api.command(`purchases show ${id}`)} says what for.`)]
  const wanted = element === 'MerchantAuthHandoff' ? 'Sign in at the shop' : 'Approve it'
  const here = `${wanted} here. Nothing that is typed in the chat does that.`
  return ['', styled('yellow', here), '', ...addressLines(url), '']
}
