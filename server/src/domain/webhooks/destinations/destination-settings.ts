/** The settings that evidence about a destination depends on. A secret is represented by its prefix, which a rotation changes. */
export type DestinationSettings = {
  endpoint_url: string
  secret_prefix: string
  event_types: readonly string[]
  responds_to_quotes: boolean
  is_archived: boolean
  /** How often each was changed until then: a setting that was changed and changed back is not the same. */
  changes?: { endpoint: number; event_types: number; responder: number }
}

export const staleReasons = [
  'endpoint_changed',
  'secret_changed',
  'event_types_changed',
  'responder_changed',
  'destination_archived',
] as const
type StaleReason = (typeof staleReasons)[number]

/** Which settings differ from those under which the evidence was found. None: it still holds. */
export function changedSettings(then: DestinationSettings, now: DestinationSettings): StaleReason[] {
  const isSame = {
    endpoint_changed:
      then.endpoint_url === now.endpoint_url && counted(then, 'endpoint') === counted(now, 'endpoint'),
    secret_changed: then.secret_prefix === now.secret_prefix,
    event_types_changed:
      sorted(then.event_types) === sorted(now.event_types) &&
      counted(then, 'event_types') === counted(now, 'event_types'),
    responder_changed:
      then.responds_to_quotes === now.responds_to_quotes &&
      counted(then, 'responder') === counted(now, 'responder'),
    destination_archived: then.is_archived === now.is_archived,
  } satisfies Record<StaleReason, boolean>
  return staleReasons.filter((reason) => !isSame[reason])
}

/** Settings that were stored before changes were counted have no counts. */
function counted(
  { changes }: DestinationSettings,
  setting: 'endpoint' | 'event_types' | 'responder',
): number {
  return changes?.[setting] ?? 0
}

function sorted(types: readonly string[]): string {
  return [...types].sort().join(' ')
}
