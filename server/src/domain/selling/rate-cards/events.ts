import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { RateCard } from './rate-card.ts'

const rateCardEvent = defineEvent<RateCard>()

/** The events of this slice. */
export const rateCardEvents = {
  'rate_card.created': rateCardEvent({ summary: 'A rate card was created.' }),
  'rate_card.updated': rateCardEvent({ summary: 'A rate card changed.' }),
  'rate_card.archived': rateCardEvent({ summary: 'A rate card was archived.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof rateCardEvents> {}
}
