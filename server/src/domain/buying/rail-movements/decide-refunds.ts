/** What a rail has reported of a credential, as the cart that it pays for gets it. */
export type RailNews = {
  readonly id: string
  readonly attempt: number
  readonly is_refund: boolean
  /** The sum of all refunds up to this one. */
  readonly refunded_amount: bigint
}

/** What stands at the rail; `refunded` null: it does not say. */
type Standing = { readonly captured: bigint; readonly refunded: bigint | null }

/** A refund by the sum of all refunds up to it, which names it: sums only grow, in whatever order and however often they are told. */
export type NewRefund = { readonly total: bigint; readonly amount: bigint }

type Decided = {
  readonly refunds: readonly NewRefund[]
  readonly refunded: bigint
  /** Movements that cannot be true. */
  readonly refused: readonly string[]
  /** The rail says that more was given back than was taken: nothing follows from that. */
  readonly isAbsurd: boolean
}

/**
 * The refunds that a charge did not have before. The state that was read from the rail is newer than the movements, and bounds them. What
 * no movement names, one refund stands for: movements may come late, or not at all.
 */
export function decideRefunds(known: bigint, standing: Standing, news: readonly RailNews[]): Decided {
  const { captured, refunded } = standing
  const isAbsurd = refunded !== null && refunded > captured
  const bound = refunded === null || isAbsurd ? captured : refunded
  const named = news.filter((one) => one.is_refund)
  const refused = named.filter((one) => one.refunded_amount > bound).map(({ id }) => id)
  const totals = named.map((one) => one.refunded_amount).filter((total) => total <= bound)
  if (refunded !== null && !isAbsurd) totals.push(refunded)
  totals.sort((a, b) => (a < b ? -1 : 1))
  const refunds: NewRefund[] = []
  let sum = known
  for (const total of totals) {
    if (total <= sum) continue
    refunds.push({ total, amount: total - sum })
    sum = total
  }
  return { refunds, refunded: sum, refused, isAbsurd }
}
