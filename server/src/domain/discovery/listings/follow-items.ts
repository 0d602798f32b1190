import type { Follower } from '../../../platform/events/follower.ts'
import { listItems } from './listings.sql.ts'

/** Lists items that are published, and takes those from the list that no longer are. */
export const followItems: Follower = {
  name: 'listings',
  types: [
    'catalog_item.created',
    'catalog_item.updated',
    'catalog_item.published',
    'catalog_item.archived',
    'catalog_item.stock_changed',
  ],
  isPatient: true,
  follow(tx, events) {
    tx.write(
      listItems({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        ids: events.map(({ aggregateId }) => aggregateId),
      }),
    )
  },
}
