/** A call that was turned away without any effect: how many times in a row, since when, until when it waits, and why. */
export type PutOff = {
  readonly count: number
  readonly since: string
  readonly until: string
  readonly reason: string
}

/** `isCounted` is false where the call was not even made. */
export function putOff(
  earlier: PutOff | null,
  {
    now,
    seconds,
    reason,
    isCounted = true,
  }: { now: Date; seconds: number; reason: string; isCounted?: boolean },
): PutOff {
  return {
    count: (earlier?.count ?? 0) + (isCounted ? 1 : 0),
    since: earlier?.since ?? now.toISOString(),
    until: new Date(now.getTime() + seconds * 1000).toISOString(),
    reason,
  }
}
