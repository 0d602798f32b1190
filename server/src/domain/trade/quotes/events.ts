import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import { Quote, QuoteRequest } from './quote.ts'

const define = defineEvent<Quote>()
const buyer = { quote: Quote }
const quoteEvent = (summary: string) => define({ summary, buyer })

/** What can happen to a quote. */
export const quoteEvents = {
  'quote.requested': define({
    summary: 'A buyer asks the merchant for a price, and waits for it.',
    buyer,
    merchant: { quote: QuoteRequest },
    isSentAtOnce: true,
  }),
  'quote.quoted': quoteEvent('The merchant made offers.'),
  'quote.declined': quoteEvent('The merchant declined to make an offer.'),
  'quote.requires_input': quoteEvent('The merchant needs to know more.'),
  'quote.failed': quoteEvent('The merchant did not answer, or its backend failed.'),
  'quote.expired': quoteEvent('The last offer of a quote expired.'),
  'quote.cancelled': quoteEvent('The buyer cancelled a quote.'),
  'quote.ordered': quoteEvent('A quote was bought at.'),
}

export type QuoteEventType = keyof typeof quoteEvents

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof quoteEvents> {}
}
