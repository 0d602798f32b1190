import { idFloor } from '../../../core/id.ts'
import { byGroup, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldDeliveries, deliveriesSwept } from './sweep-deliveries.sql.ts'

/** Deliveries that have ended, with their attempts: the event itself still tells what happened. */
export const sweepDeliveries: Sweep = {
  name: deliveriesSwept,
  removes: 'deliveries that have ended, with their attempts',
  keeps: 'deliveriesDays',
  batches: (pools, before) =>
    byGroup(pools, ['', 'test'], ([account_id = '', mode = 'test']) =>
      deleteOldDeliveries({ account_id, mode, before, before_id: idFloor('dlv', before.getTime()) }),
    ),
}
