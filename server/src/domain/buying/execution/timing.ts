/** How many milliseconds calls may take. All of them end inside the lease. */
export const timing = {
  leaseSeconds: 30,
  longestCallMs: 8_000,
  /** How often a lease is renewed while a call runs that may take longer than it. */
  renewMs: 5_000,
  /** The time between the end of a call and the end of the lease, and before silence proves anything. */
  marginMs: 1_000,
  authorizationDays: 7,
  credentialHours: 24,
  /** A credential that is handed to a merchant of ours. */
  tokenMinutes: 15,
  /** A merchant of ours that has authorized captures or releases within the time of its order, 24 hours, and an hour more. */
  claimedHours: 25,
  signInHours: 24,
  /** How long the page of a merchant stays open for a code that it has sent to its customer. */
  codeMinutes: 10,
} as const

/** Whether a call may take longer than a whole lease, which is renewed then. */
export function outlastsLease(longestCallMs: number): boolean {
  return longestCallMs + 2 * timing.marginMs > timing.leaseSeconds * 1000
}
