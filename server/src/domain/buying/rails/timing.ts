/** How many milliseconds calls may take. All of them end inside the lease. */
export const timing = {
  leaseSeconds: 30,
  longestCallMs: 8_000,
  /** How often a lease is renewed while a call runs that may take longer than it. */
  renewMs: 5_000,
  /** The time between the end of a call and the end of the lease, and before silence proves anything. */
  marginMs: 1_000,
} as const

/** Whether a call may take longer than a whole lease, which is renewed then. */
export function outlastsLease(longestCallMs: number): boolean {
  return longestCallMs + 2 * timing.marginMs > timing.leaseSeconds * 1000
}
