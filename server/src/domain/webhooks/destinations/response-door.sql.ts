import type { Mode } from '../../../contract/context.ts'
import type { Audience } from '../../../contract/event.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { DestinationStatus } from './destination.ts'

export type DoorRow = {
  account_id: Id<'acct'>
  mode: Mode
  audience: Audience
  id: Id<'dest'>
  status: DestinationStatus
  responds_to_quotes: boolean
  event_types: string[]
  /** The live secrets, in the form of `SigningSecrets`; null where none is live. */
  secrets: string | null
  /** The type of the event that was sent there under this id; null when none was. */
  event_type: string | null
  aggregate_id: string | null
}

/** A destination with its live secrets, and the delivery that the answer names. */
export const openResponseDoor = statement<DoorRow, { id: string; event_id: string }>(
  'open_response_door',
  // guard answer-to-a-delivery: a destination answers only events that were delivered to it
  // guard rotated-secrets-end: a secret that was rotated away signs nothing after its day
  `select /* tenantless: the door from a signed response to its tenant */ d.account_id, d.mode, d.audience, d.id, d.status, d.responds_to_quotes,
     d.event_types, v.event_type, v.aggregate_id,
     (select string_agg(s.position || ':' || encode(s.sealed, 'hex'), ' ' order by s.position) from destination_secrets s
      where s.account_id = d.account_id and s.mode = d.mode and s.destination_id = d.id
        and (s.expires_at is null or s.expires_at > prokura_now())) as secrets
   from webhook_destinations d
   left join deliveries v on v.account_id = d.account_id and v.mode = d.mode and v.destination_id = d.id and v.event_id = $event_id
   where d.id = $id`,
)
