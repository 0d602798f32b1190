import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { resolveForeignText } from '../../../platform/egress/resolve-text.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { merchantEvents } from './events.ts'
import { merchantInvariants } from './invariants.ts'
import { merchantRecords } from './merchant-records.ts'
import { merchantOperations } from './operations.ts'
import { Readiness } from './port.ts'
import { problems } from './problems.ts'
import { createDomainWork } from './work.ts'

/** What keys may be allowed here. */
const scopes = defineScopes({
  'merchant:read': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  'merchant:write': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  // The identity of the merchant: domain, category and country, by which buyers' policies judge it.
  'merchant:identity': { toolsets: ['merchant'], isOfAccount: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const merchant = defineSlice({
  name: 'selling/merchant',
  about: "Keeps the merchant's record, verifies its domain and finds the merchant of a URL.",
  needs: ['policies', 'webhooks/destinations'],
  tables: ['domain_verifications', 'merchants'],
  scopes,
  problems,
  tags: {
    Merchant: "The account's own merchant record: what is set, what is missing, what is verified.",
  },
  events: merchantEvents,
  operations: (_events, ports) => merchantOperations(merchantRecords(ports.get(Readiness))),
  work: ({ egress, ports }) => [
    createDomainWork({
      egress,
      resolveText: (name) => resolveForeignText(name),
      records: merchantRecords(ports.get(Readiness)),
    }),
  ],
  queues: [{ kind: 'domain_verifications', table: 'domain_verifications' }],
  invariants: merchantInvariants,
})
