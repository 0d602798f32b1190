/** That no worker holds the row of the queue. */
export const isFree = '(q.lease_until is null or q.lease_until <= prokura_now())'

/**
 * The time of the first attempt of a delivery that was given up before it had one. Later events of its object do not wait for it, and it
 * has no place in their order: an earlier one may be under way, and it may be redelivered after later ones.
 */
export const passedOver = `timestamptz '-infinity'`

/**
 * Locks open deliveries of a destination in the queue, as a claim does: it takes none that is changed at this moment, and none is changed
 * that it has taken. The statement around it changes the deliveries behind these rows.
 */
export function openOf(only: string): string {
  return `select q.account_id, q.mode, q.id from due_deliveries q
     where q.account_id = $account_id and q.mode = $mode and q.destination_id = $destination_id and ${only} for no key update`
}
