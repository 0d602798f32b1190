import type { Operation } from '../../contract/operation.ts'
import { archiveDestination } from './archive-destination.ts'
import { createDestination } from './create-destination.ts'
import { disableDestination } from './disable-destination.ts'
import { enableDestination } from './enable-destination.ts'
import { getDestination } from './get-destination.ts'
import { getDestinationEvent } from './get-destination-event.ts'
import { listDestinationEvents } from './list-destination-events.ts'
import { listDestinations } from './list-destinations.ts'
import { recoverDestination } from './recover-destination.ts'
import { redeliverDestinationEvent } from './redeliver-destination-event.ts'
import { rotateDestinationSecret } from './rotate-destination-secret.ts'
import { testDestination } from './test-destination.ts'
import { updateDestination } from './update-destination.ts'

export const destinationOperations: readonly Operation[] = [
  createDestination,
  listDestinations,
  getDestination,
  updateDestination,
  rotateDestinationSecret,
  enableDestination,
  disableDestination,
  archiveDestination,
  testDestination,
  listDestinationEvents,
  getDestinationEvent,
  redeliverDestinationEvent,
  recoverDestination,
]
