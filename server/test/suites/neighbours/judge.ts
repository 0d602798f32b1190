/** What the other account bought, and how long it took. */
export type Purchase = {
  readonly shop: string
  readonly aloneMs: number
  readonly ms: number
  readonly status: string
  /** In which the memory of its shop, or of the processor, says something else. */
  readonly broken: readonly string[]
}

/** What was seen while the pages of one account attacked. */
export type Stretch = {
  readonly name: string
  readonly purchases: readonly Purchase[]
  /** How many times slower than a quiet machine this one was. */
  readonly pace: number
  /** The browser process before and after. */
  readonly pids: readonly [number, number]
  /** What windows that were refused have asked for. */
  readonly asked: readonly string[]
  /** How the purchases of the attacker that nothing was wrong with have failed. */
  readonly failures: readonly string[]
}

/** What a purchase may take longer than alone. */
const laterMs = 10_000

export function judge({ name, purchases, pace, pids, asked, failures }: Stretch): string[] {
  const late = ({ ms, aloneMs }: Purchase) => ms > (aloneMs + laterMs) * pace
  return [
    ...purchases.flatMap(({ shop, status, broken }) => [
      ...(status === 'succeeded' ? [] : [`a purchase at ${shop} ended ${status}`]),
      ...broken,
    ]),
    ...purchases
      .filter(late)
      .map(({ shop, ms, aloneMs }) => `${shop} took ${Math.round(ms)} ms, and ${Math.round(aloneMs)} alone`),
    ...(purchases.length === 0 ? ['nobody bought anything'] : []),
    ...(pids[0] === pids[1] ? [] : ['the browser process has ended']),
    ...(asked.length === 0 ? [] : [`${asked.length} windows asked for something: ${asked[0]}`]),
    ...failures.map((code) => `a purchase at an honest shop failed: ${code}`),
  ].map((fault) => `${name}: ${fault}`)
}

/** Lies to plant in what was seen: each must add a fault. */
export const lies: readonly { lie: string; plant: (stretch: Stretch) => Stretch }[] = [
  {
    lie: 'a purchase took eleven seconds longer',
    plant: (stretch) =>
      withPurchase(stretch, ({ aloneMs }) => ({ ms: (aloneMs + laterMs) * stretch.pace + 1_000 })),
  },
  { lie: 'a purchase failed', plant: (stretch) => withPurchase(stretch, () => ({ status: 'failed' })) },
  {
    lie: 'a shop has charged twice',
    plant: (stretch) => withPurchase(stretch, () => ({ broken: ['it was charged twice'] })),
  },
  { lie: 'nobody bought anything', plant: (stretch) => ({ ...stretch, purchases: [] }) },
  { lie: 'the browser process was another one', plant: (stretch) => ({ ...stretch, pids: [1, 2] }) },
  { lie: 'a window asked for something', plant: (stretch) => ({ ...stretch, asked: ['window-planted'] }) },
  {
    lie: 'an honest purchase failed for want of room',
    plant: (stretch) => ({ ...stretch, failures: ['merchant_unavailable'] }),
  },
]

function withPurchase(stretch: Stretch, change: (one: Purchase) => Partial<Purchase>): Stretch {
  const [first, ...others] = stretch.purchases
  return first === undefined
    ? stretch
    : { ...stretch, purchases: [{ ...first, ...change(first) }, ...others] }
}

export function unseenLies(stretch: Stretch): string[] {
  const before = new Set(judge(stretch))
  return lies
    .filter(({ plant }) => judge(plant(stretch)).every((fault) => before.has(fault)))
    .map(({ lie }) => lie)
}
