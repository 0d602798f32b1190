import type { Follower, RelayedEvent } from '../../../platform/events/follower.ts'
import { listItems } from './listings.sql.ts'

/** Lists items that are published, and takes those from the list that no longer are. A batch of a file has one event for all its items. */
export const followItems: Follower = {
  name: 'listings',
  types: [
    'catalog_item.created',
    'catalog_item.updated',
    'catalog_item.published',
    'catalog_item.archived',
    'catalog_item.stock_changed',
    'catalog_import.progressed',
  ],
  isPatient: true,
  follow(tx, events) {
    const changed = events.flatMap((event) => changedBy(event).map((id) => ({ ...event.tenant, id })))
    if (changed.length === 0) return
    tx.write(
      listItems({
        account_ids: changed.map(({ accountId }) => accountId),
        modes: changed.map(({ mode }) => mode),
        ids: changed.map(({ id }) => id),
      }),
    )
  },
}

/** The items that an event is about: its own, or all that a batch of a file has changed. */
function changedBy({ type, aggregateId, object }: RelayedEvent): string[] {
  if (type !== 'catalog_import.progressed') return [aggregateId]
  const batch: { created: string[]; updated: string[] } = JSON.parse(object)
  return [...batch.created, ...batch.updated]
}
