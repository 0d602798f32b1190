import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { Promotion } from './promotion.ts'

const promotionEvent = defineEvent<Promotion>()

/** The events of this slice. */
export const promotionEvents = {
  'promotion.created': promotionEvent({ summary: 'A promotion was created.' }),
  'promotion.updated': promotionEvent({ summary: 'A promotion changed.' }),
  'promotion.published': promotionEvent({ summary: 'A promotion was published.' }),
  'promotion.started': promotionEvent({ summary: 'A promotion began.' }),
  'promotion.paused': promotionEvent({ summary: 'A promotion was paused.' }),
  'promotion.resumed': promotionEvent({ summary: 'A promotion went on.' }),
  'promotion.ended': promotionEvent({ summary: 'A promotion ended.' }),
  'promotion.archived': promotionEvent({ summary: 'A promotion was archived.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof promotionEvents> {}
}
