import { resolveForeignText } from '../../../platform/egress/resolve-text.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { merchantEvents } from './events.ts'
import { merchantInvariants } from './invariants.ts'
import { merchantOperations } from './operations.ts'
import { createDomainWork } from './work.ts'

export const merchant = defineSlice({
  name: 'selling/merchant',
  needs: ['policies'],
  tags: {
    Merchant: "The account's own merchant record: what is set, what is missing, what is verified.",
  },
  events: merchantEvents,
  operations: merchantOperations,
  work: ({ egress }) => [createDomainWork({ egress, resolveText: (name) => resolveForeignText(name) })],
  queues: [{ kind: 'domain_verifications', table: 'domain_verifications' }],
  invariants: merchantInvariants,
})
