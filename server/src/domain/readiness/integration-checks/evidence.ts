import type { DestinationSettings } from '../../webhooks/destinations/public.ts'
import type { CheckEvidence } from './integration-check.ts'

/** Evidence without results, under these settings. */
export function blankEvidence({
  is_archived: _,
  changes: _changes,
  ...destination
}: DestinationSettings): CheckEvidence {
  return {
    event_id: null,
    delivery_id: null,
    delivery_attempts: 0,
    http_status: null,
    responded_at: null,
    responded_by: null,
    response_ms: null,
    order_id: null,
    payment_status: null,
    quote_id: null,
    offer_id: null,
    amount: null,
    currency: null,
    destination: { ...destination, event_types: [...destination.event_types] },
  }
}
