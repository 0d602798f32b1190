/** How a shop behaves towards one item, in one attempt. The worst item of a cart decides for the cart. */
export const scenarios = [
  'ok',
  'out_of_stock',
  'silent',
  'sign_in',
  'up3',
  'up20',
  'fee_over',
  'rejected',
  /** The order arrives and is decided later, or never if `stuck`. */
  'late',
  'stuck',
  /** The answer to the order is lost, and the shop gives it when it is asked. */
  'lost_placed',
  'lost_not_placed',
  /** The answer is lost, and the shop never answers again. */
  'mute_charged',
  'mute_uncharged',
] as const
export type Scenario = (typeof scenarios)[number]

/** The behavior of a shop, as the URL of an item names it: at the first attempt, and from then on. */
export type Behaviour = { first: Scenario; later: Scenario }

export function urlOf(domain: string, { first, later }: Behaviour): string {
  return `https://${domain}/thing?first=${first}&later=${later}`
}

export function readUrl(url: string): Behaviour {
  const { searchParams } = new URL(url)
  const read = (name: string) => scenarios.find((one) => one === searchParams.get(name)) ?? 'ok'
  return { first: read('first'), later: read('later') }
}

export function scenarioOf(items: readonly Behaviour[], attempt: number): Scenario {
  return items.map((item) => behaviourAt(item, attempt)).find((one) => one !== 'ok') ?? 'ok'
}

function behaviourAt({ first, later }: Behaviour, attempt: number): Scenario {
  return attempt === 1 ? first : later
}

type Asked = { units: number[]; subtotal: number; fee: number; tax: number; total: number }

/** The price of a shop: the expected prices, a fee of the smaller of 5.00 and the allowance, 8 % tax. */
export function offeredBy(
  items: readonly (Behaviour & { unit: number; quantity: number })[],
  terms: { attempt: number; feeAllowance: number },
): Asked {
  const scenario = scenarioOf(items, terms.attempt)
  const units = items.map((item) => {
    const own = behaviourAt(item, terms.attempt)
    const percent = own === 'up3' ? 103 : own === 'up20' ? 120 : 100
    return Math.ceil((item.unit * percent) / 100)
  })
  const subtotal = items.reduce((sum, { quantity }, index) => sum + (units[index] ?? 0) * quantity, 0)
  const fee = scenario === 'fee_over' ? terms.feeAllowance + 100 : Math.min(500, terms.feeAllowance)
  const tax = Math.floor((subtotal * 8) / 100)
  return { units, subtotal, fee, tax, total: subtotal + fee + tax }
}
