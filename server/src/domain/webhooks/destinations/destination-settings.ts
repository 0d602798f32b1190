/** What evidence about a destination depends on. The secret is known by its prefix; a rotation makes another one. */
export type DestinationSettings = {
  endpoint_url: string
  secret_prefix: string
  event_types: readonly string[]
  responds_to_quotes: boolean
  is_archived: boolean
  /** How often each was changed until then: what is changed and changed back is not what it was. */
  changes?: { endpoint: number; event_types: number; responder: number }
}

export const staleReasons = [
  'endpoint_changed',
  'secret_changed',
  'event_types_changed',
  'responder_changed',
  'destination_archived',
] as const
export type StaleReason = (typeof staleReasons)[number]

/** In what the settings differ from those that something was found out under. None: it still holds. */
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

/** Settings that were written down before changes were counted had none. */
function counted(
  { changes }: DestinationSettings,
  setting: 'endpoint' | 'event_types' | 'responder',
): number {
  return changes?.[setting] ?? 0
}

function sorted(types: readonly string[]): string {
  return [...types].sort().join(' ')
}
