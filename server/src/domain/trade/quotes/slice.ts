import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { FailedRequests } from '../../webhooks/destinations/public.ts'
import { cancelQuote } from './cancel-quote.ts'
import { createQuote } from './create-quote.ts'
import { createQuoteResponse } from './create-quote-response.ts'
import { quoteEvents } from './events.ts'
import { failUnanswered } from './fail-unanswered.ts'
import { getQuote, listQuotes } from './get-quotes.ts'
import { quoteInvariants } from './invariants.sql.ts'
import { problems } from './problems.ts'
import { selectOwnQuotes } from './quotes.sql.ts'
import { refreshQuote } from './refresh-quote.ts'
import { quoteWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  quo: { names: 'a quote' },
  offer: { names: 'an offer of a quote', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'quotes:read': { presets: ['merchant_backend', 'buyer_agent'], toolsets: ['buyer'] },
  'quotes:write': { presets: ['buyer_agent'], toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const quotes = defineSlice({
  name: 'trade/quotes',
  about: 'Asks a merchant for a price, keeps its offers and turns an accepted one into a purchase.',
  needs: [
    'accounts/api-keys',
    'buyers/profiles',
    'policies',
    'selling/catalog',
    'selling/merchant',
    'webhooks/destinations',
  ],
  tables: ['quote_answers', 'quotes'],
  ids,
  scopes,
  problems,
  tags: {
    Quotes: 'Binding prices that you ask merchants for, and buy at.',
    'Merchant quotes': 'Answers of the merchant to quote requests.',
  },
  events: quoteEvents,
  operations: [createQuote, listQuotes, getQuote, refreshQuote, cancelQuote, createQuoteResponse],
  work: () => [quoteWork],
  queues: [{ kind: 'quotes', table: 'quotes' }],
  invariants: quoteInvariants,
  ownIds: part(selectOwnQuotes, []),
  binds: [bind(FailedRequests, failUnanswered)],
})
