import type { EventCatalog } from '../../../contract/event.ts'
import type { Operation } from '../../../contract/operation.ts'
import { archiveDestination } from './archive-destination.ts'
import { createDestination } from './create-destination.ts'
import { disableDestination } from './disable-destination.ts'
import { enableDestination } from './enable-destination.ts'
import { getDestinationEvent, listDestinationEvents } from './get-destination-events.ts'
import { getDestination, listDestinations } from './get-destinations.ts'
import { recoverDestination } from './recover-destination.ts'
import { redeliverDestinationEvent } from './redeliver-destination-event.ts'
import { requestExamples } from './request-examples.ts'
import { rotateDestinationSecret } from './rotate-destination-secret.ts'
import { type Side, sideOf } from './side.ts'
import { testDestination } from './test-destination.ts'
import { updateDestination } from './update-destination.ts'

/** The operations of merchants and of buyers on their destinations. */
export function destinationOperations(events: EventCatalog): readonly Operation[] {
  return [...operationsOf(sideOf('merchant', events)), ...operationsOf(sideOf('buyer', events))]
}

function operationsOf(side: Side): Operation[] {
  const examples = requestExamples[side.audience]
  return [
    { ...createDestination(side), examples: examples.create },
    listDestinations(side),
    getDestination(side),
    { ...updateDestination(side), examples: examples.update },
    rotateDestinationSecret(side),
    enableDestination(side),
    disableDestination(side),
    archiveDestination(side),
    testDestination(side),
    listDestinationEvents(side),
    getDestinationEvent(side),
    redeliverDestinationEvent(side),
    { ...recoverDestination(side), examples: examples.recover },
  ]
}
