const windowMs = 60_000

type Budget = { readonly inAll: number; readonly ofOrigin: number }

/** Bounds what strangers can make this process fetch: in all, and from one origin, in a minute. */
export function createFetchBudget({ inAll, ofOrigin }: Budget, monotonicMs = () => performance.now()) {
  let counts = new Map<string, number>()
  let spent = 0
  let endsMs = 0
  return {
    /** Takes one; otherwise returns in how many seconds there is room. */
    take(origin: string): number | null {
      const nowMs = monotonicMs()
      if (nowMs >= endsMs) {
        counts = new Map()
        spent = 0
        endsMs = nowMs + windowMs
      }
      const count = counts.get(origin) ?? 0
      if (spent >= inAll || count >= ofOrigin) return Math.max(1, Math.ceil((endsMs - nowMs) / 1000))
      spent += 1
      counts.set(origin, count + 1)
      return null
    },
  }
}
