import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldMessages } from './stranger-orders.sql.ts'

/** Messages whose orders never came, after a day; the ids of all others, once no message can come again. */
export const sweepMessages: Sweep = {
  name: 'order_messages',
  removes: 'messages of merchants elsewhere about orders',
  keeps: 'messageDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldMessages({ before, limit })),
}
