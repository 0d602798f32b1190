/** What became of one purchase, and what of it is not as it has to be. */
export type Bought = {
  product: string
  status: string
  /** In minor units. */
  actual_amount: number | null
  seconds: number
  /** The stages of which there are pictures. */
  pictures: string[]
  shop: string
  processor: string
  wrong: string[]
}

export function tableOf(bought: readonly Bought[]): string {
  const rows = [
    ['product', 'purchase', 'amount', 'seconds', 'in the shop’s book', 'at the processor'],
    ...bought.map((one) => [
      one.product,
      one.status,
      one.actual_amount === null ? '-' : (one.actual_amount / 100).toFixed(2),
      one.seconds.toFixed(1),
      one.shop,
      one.processor,
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const wrong = bought.flatMap(({ product, wrong }) => wrong.map((what) => `WRONG ${product}: ${what}`))
  return [...lines, ...wrong].join('\n')
}
