import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { resolveForeignText } from '../../../platform/egress/resolve-text.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { merchantEvents } from './events.ts'
import { merchantInvariants } from './invariants.sql.ts'
import { merchantRecords } from './merchant-records.ts'
import { merchantOperations } from './operations.ts'
import { Readiness } from './port.ts'
import { createDomainWork } from './work.ts'

/** What keys may be allowed here. */
const scopes = defineScopes({
  'merchant:read': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  'merchant:write': {
    presets: ['merchant_backend'],
    roles: ['developer'],
    toolsets: ['merchant'],
    isOfAccount: true,
  },
  // The identity of the merchant: domain, category and country, by which buyers' policies judge it.
  'merchant:identity': { toolsets: ['merchant'], isOfAccount: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  slug_in_use: {
    status: 409,
    retryable: false,
    message: 'Another merchant has this slug. Send another one.',
  },
  domain_in_use: {
    status: 409,
    retryable: false,
    message: 'Another merchant has this domain. Send the domain of your own shop.',
  },
  domain_taken: {
    status: 409,
    retryable: false,
    message: 'Another account holds this test domain, or it is reserved. Use another name.',
  },
  domain_missing: {
    status: 409,
    retryable: false,
    message: 'The merchant has no domain. Set `domain` with v1_update_merchant first.',
  },
  merchant_setup_incomplete: {
    status: 409,
    retryable: false,
    message: 'The merchant has not finished its setup. If it is yours, v1_get_merchant says what is missing.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
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
