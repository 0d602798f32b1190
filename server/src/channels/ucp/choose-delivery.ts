import type { OfferRequest } from '../../domain/buying/channels/port.ts'
import type { Checkout } from '../../protocols/ucp/read-checkout.ts'
import type { ChosenMethod } from './checkout-body.ts'

type Method = Checkout['methods'][number]
type Option = Method['groups'][number]['options'][number]
type Wish = Pick<OfferRequest['fulfillment'], 'speed' | 'feeAllowance'>

/** How the goods shall come, where the checkout leaves that open or has chosen otherwise; null: as it stands. */
export function chooseDelivery({ methods }: Checkout, wish: Wish): readonly ChosenMethod[] | null {
  const chosen = methods.map((method) => chooseMethod(method, wish))
  return chosen.some(({ isOther }) => isOther) ? chosen : null
}

function chooseMethod(method: Method, wish: Wish): ChosenMethod & { isOther: boolean } {
  const [first] = method.destinations
  const offered = typeof first?.id === 'string' ? first.id : null
  const destinationId = method.selectedDestinationId ?? offered
  const groups = method.groups.flatMap(({ id, selectedOptionId, options }) => {
    const option = chooseOption(options, wish)
    return option === null ? [] : [{ id, optionId: option.id, isOther: option.id !== selectedOptionId }]
  })
  const isOther = destinationId !== method.selectedDestinationId || groups.some((one) => one.isOther)
  return { method, destinationId, groups, isOther }
}

/** Within the allowance where something is; otherwise the cheapest, which then is found to be too dear. */
function chooseOption(options: readonly Option[], { speed, feeAllowance }: Wish): Option | null {
  const byPrice = [...options].sort((a, b) => a.amount - b.amount)
  const affordable = byPrice.filter(({ amount }) => BigInt(amount) <= feeAllowance)
  const [cheapest] = byPrice
  if (speed === 'cheapest' || affordable.length === 0) return cheapest ?? null
  const timed = affordable.filter(({ latest }) => latest !== null)
  const [soonest] = timed.sort(
    (a, b) => (a.latest ?? '').localeCompare(b.latest ?? '') || a.amount - b.amount,
  )
  // Where no times are said, what is faster costs more.
  return soonest ?? affordable.at(-1) ?? null
}
