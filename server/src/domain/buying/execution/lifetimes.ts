/** How long what is held, handed over or asked for is good. */
export const lifetimes = {
  authorizationDays: 7,
  /** Where a rail does not say when a hold ends. Visa lets go of a card that is charged without its person after five days, others later. */
  liveAuthorizationHours: 114,
  credentialHours: 24,
  /** A credential that is handed to a merchant of ours. */
  tokenMinutes: 15,
  /** A merchant of ours that has authorized captures or releases within the time of its order, 24 hours, and an hour more. */
  claimedHours: 25,
  signInHours: 24,
  /** How long the page of a merchant stays open for a code that it has sent to its customer. */
  codeMinutes: 10,
} as const
