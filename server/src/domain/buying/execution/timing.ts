/** How many milliseconds calls may take. All of them end inside the lease. */
export const timing = {
  leaseSeconds: 30,
  longestCallMs: 8_000,
  /** The time between the end of a call and the end of the lease, and before silence proves anything. */
  marginMs: 1_000,
  authorizationDays: 7,
  credentialHours: 24,
  signInHours: 24,
} as const
