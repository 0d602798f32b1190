import Type from 'typebox'
import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import { Closed, IdOf } from '../../../contract/schemas.ts'
import type { Delivery } from './delivery.ts'
import type { Destination } from './destination.ts'

const destinationEvent = defineEvent<Destination>()
const deliveryEvent = defineEvent<Delivery>()

/** What can happen to a destination and to its deliveries. */
export const destinationEvents = {
  'destination.created': destinationEvent({ summary: 'A destination was created.' }),
  'destination.updated': destinationEvent({ summary: 'A destination changed.' }),
  'destination.secret_rotated': destinationEvent({ summary: 'The secret of a destination was rotated.' }),
  'destination.enabled': destinationEvent({ summary: 'A destination was enabled.' }),
  'destination.disabled': destinationEvent({ summary: 'A destination was disabled.' }),
  'destination.archived': destinationEvent({ summary: 'A destination was archived.' }),
  'destination.recovered': destinationEvent({
    summary: 'Failed deliveries of a destination are attempted again.',
  }),
  'destination.confirmed': destinationEvent({ summary: 'The endpoint of a destination confirmed itself.' }),
  'destination.test': destinationEvent({
    summary: 'A test of a destination. The first 2xx that answers one confirms the endpoint.',
    oneDestination: {
      destination: Closed(
        {
          id: IdOf('dest', 'The destination that is tested.'),
          name: Type.String({ description: 'Its name.' }),
        },
        { description: 'The destination that is tested.' },
      ),
    },
  }),
  'delivery.requeued': deliveryEvent({ summary: 'An event is sent again to a destination.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof destinationEvents> {}
}
