import type { judge } from './judge.ts'

/** What became of one purchase, and what of it is not as it has to be. */
export type Bought = ReturnType<typeof judge> & {
  product: string
  buyer: string
  status: string
  /** Why it was not bought. */
  why: string
  /** In minor units. */
  actual_amount: number | null
  seconds: number
  /** The stages of which there are pictures. */
  pictures: string[]
  shop: string
  processor: string
}

export function tableOf(bought: readonly Bought[]): string {
  const rows = [
    ['product', 'buyer', 'verdict', 'purchase', 'seconds', 'in the shop’s book', 'at the processor'],
    ...bought.map((one) => [
      one.product,
      one.buyer,
      one.verdict.replace('_', ' '),
      one.actual_amount === null ? one.status : `${one.status} ${one.actual_amount}`,
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
  const told = bought.flatMap(({ product, buyer, why, wrong }) => [
    ...(why === '' ? [] : [`${product} for ${buyer}: ${why}`]),
    ...wrong.map((what) => `WRONG ${product} for ${buyer}: ${what}`),
  ])
  return [...lines, ...told].join('\n')
}

/** Whether a command that ended so has done what it had to. */
export function isAsPlanned({ verdict }: Pick<Bought, 'verdict'>): boolean {
  return verdict === 'bought' || verdict === 'refused'
}
