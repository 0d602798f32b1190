import { bind } from '../../../contract/port.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { FailedRequests } from '../../webhooks/destinations/public.ts'
import { quoteEvents } from './events.ts'
import { failUnanswered } from './fail-unanswered.ts'
import { quoteInvariants } from './invariants.ts'
import { quoteOperations } from './operations.ts'
import { selectOwnQuotes } from './quotes.sql.ts'
import { quoteWork } from './work.ts'

export const quotes = defineSlice({
  name: 'trade/quotes',
  needs: [
    'accounts/api-keys',
    'buyers/profiles',
    'policies',
    'selling/catalog',
    'selling/merchant',
    'webhooks/destinations',
  ],
  events: quoteEvents,
  operations: quoteOperations,
  work: () => [quoteWork],
  queues: [{ kind: 'quotes', table: 'quotes' }],
  invariants: quoteInvariants,
  ownIds: part(selectOwnQuotes, []),
  binds: [bind(FailedRequests, failUnanswered)],
})
