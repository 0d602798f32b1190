const windowMs = 60_000
const addressesMax = 20_000

/** What may be fetched in a minute: in all, and from one origin. */
type Most = { readonly inAll: number; readonly ofOrigin: number }

type Budget = {
  /** How many one address may cause, and how many of these may be refused or under way. */
  readonly ofAddress: { readonly inAll: number; readonly refused: number }
  /** Of addresses none of whose fetches was refused or is under way. */
  readonly clean: Most
  /** Of all other addresses together: nothing of the above is theirs. */
  readonly others: Most
}

type Spending = { begun: number; refused: number; readonly untilMs: number }
type Pool = { readonly most: Most; readonly origins: Map<string, number>; spent: number }

/** A fetch that may be made. */
export type Fetching = { readonly kind: 'taken'; end(isRefused: boolean): void }

/**
 * Bounds what strangers can make this process fetch in a minute. Each address has a budget, and what is refused spends it soonest. What
 * all of them have together is in two parts, so that addresses whose fetches were refused leave room for those that come for the first time.
 */
export function createFetchBudget(
  { ofAddress, clean, others }: Budget,
  monotonicMs = () => performance.now(),
) {
  const byAddress = new Map<string, Spending>()
  let pools = { clean: poolOf(clean), others: poolOf(others) }
  let endsMs = 0

  function spendingOf(address: string, nowMs: number): Spending {
    const known = byAddress.get(address)
    if (known && nowMs < known.untilMs) return known
    byAddress.delete(address)
    // The first is the one whose minute ends first.
    const [oldest] = byAddress.size >= addressesMax ? byAddress.keys() : []
    if (oldest !== undefined) byAddress.delete(oldest)
    const spending = { begun: 0, refused: 0, untilMs: nowMs + windowMs }
    byAddress.set(address, spending)
    return spending
  }

  return {
    /** Takes one; otherwise returns in how many seconds there is room. */
    take(address: string, origin: string): Fetching | number {
      const nowMs = monotonicMs()
      if (nowMs >= endsMs) {
        pools = { clean: poolOf(clean), others: poolOf(others) }
        endsMs = nowMs + windowMs
      }
      const spending = spendingOf(address, nowMs)
      // guard address-first: one address spends its own budget of fetches alone
      if (spending.begun >= ofAddress.inAll || spending.refused >= ofAddress.refused)
        return secondsUntil(spending.untilMs, nowMs)
      // guard refused-run-out-first: an address whose profiles are refused cannot spend what others have
      const pool = spending.refused === 0 ? pools.clean : pools.others
      const ofOrigin = pool.origins.get(origin) ?? 0
      if (pool.spent >= pool.most.inAll || ofOrigin >= pool.most.ofOrigin) return secondsUntil(endsMs, nowMs)
      pool.spent += 1
      pool.origins.set(origin, ofOrigin + 1)
      spending.begun += 1
      // Many at once are refused one after the other only when they end, so each counts as refused until then.
      spending.refused += 1
      return {
        kind: 'taken',
        end(isRefused) {
          if (!isRefused) spending.refused -= 1
        },
      }
    },
  }
}

function poolOf(most: Most): Pool {
  return { most, origins: new Map(), spent: 0 }
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((atMs - nowMs) / 1000))
}
