/** Numbers from 0 to below 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** One of each kind, which the seed chooses: runs with other seeds meet the others. */
export function oneOfEach<T>(items: readonly T[], kindOf: (item: T) => string, random: () => number): T[] {
  return [...Map.groupBy(items, kindOf).values()].flatMap((alike) => shuffled(alike, random).slice(0, 1))
}
