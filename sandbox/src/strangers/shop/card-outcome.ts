/** What a call about money came to. `unknown`: it may have been done. */
export type CardOutcome =
  | { kind: 'approved'; id: string }
  | { kind: 'declined'; code: string }
  | { kind: 'unknown' }
