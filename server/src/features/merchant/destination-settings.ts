/** What evidence about a destination depends on. The secret is known by its prefix; a rotation makes another one. */
export type DestinationSettings = {
  endpoint_url: string
  secret_prefix: string
  event_types: readonly string[]
  responds_to_quotes: boolean
  is_archived: boolean
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
    endpoint_changed: then.endpoint_url === now.endpoint_url,
    secret_changed: then.secret_prefix === now.secret_prefix,
    event_types_changed: sorted(then.event_types) === sorted(now.event_types),
    responder_changed: then.responds_to_quotes === now.responds_to_quotes,
    destination_archived: then.is_archived === now.is_archived,
  } satisfies Record<StaleReason, boolean>
  return staleReasons.filter((reason) => !isSame[reason])
}

function sorted(types: readonly string[]): string {
  return [...types].sort().join(' ')
}
