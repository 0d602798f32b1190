/** The step of this row (`of` names its table) has only failed, and for so long that waiting alone will not help. */
export function hasFailedLong(of: string): string {
  return `(${of}.due_at is not null and ${of}.step_failing_since < prokura_now() - interval '1 hour')`
}
