import { bind } from '../../../contract/port.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { FailedRequests } from '../../webhooks/destinations/public.ts'
import { quoteEvents } from './events.ts'
import { failUnanswered } from './fail-unanswered.ts'
import { ids } from './ids.ts'
import { quoteInvariants } from './invariants.ts'
import { quoteOperations } from './operations.ts'
import { problems } from './problems.ts'
import { selectOwnQuotes } from './quotes.sql.ts'
import { scopes } from './scopes.ts'
import { quoteWork } from './work.ts'

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
  ids,
  scopes,
  problems,
  tags: {
    Quotes: 'Binding prices that you ask merchants for, and buy at.',
    'Merchant quotes': 'Answers of the merchant to quote requests.',
  },
  events: quoteEvents,
  operations: quoteOperations,
  work: () => [quoteWork],
  queues: [{ kind: 'quotes', table: 'quotes' }],
  invariants: quoteInvariants,
  ownIds: part(selectOwnQuotes, []),
  binds: [bind(FailedRequests, failUnanswered)],
})
