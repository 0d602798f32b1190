/** That no worker holds the row of the queue. */
export const isFree = '(q.lease_until is null or q.lease_until <= prokura_now())'

/**
 * Locks open deliveries of a destination in the queue, as a claim does: it takes none that is changed at this moment, and none is changed
 * that it has taken. The statement around it changes the deliveries behind these rows.
 */
export function openOf(only: string): string {
  return `select q.account_id, q.mode, q.id from due_deliveries q
     where q.account_id = $account_id and q.mode = $mode and q.destination_id = $destination_id and ${only} for no key update`
}
