import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { sweepEvidence } from './evidence.sql.ts'
import { getPurchaseIntentEvidence } from './get-purchase-intent-evidence.ts'
import { listPurchaseIntentEvidence } from './list-purchase-intent-evidence.ts'
import { shredWithProfile } from './shred-with-profile.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  evd: { names: 'a picture of a page that something was bought on' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  // Pictures show what a page shows of a person: neither agents nor keys that only read have it.
  'evidence:read': { roles: ['approver', 'support'], toolsets: ['buyer'], isWithheld: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What the operations of this slice refuse with, besides what any operation can answer. */
const problems = defineProblems({
  evidence_gone: {
    status: 410,
    retryable: false,
    message: 'The picture was kept for its time, or until its profile was archived, and is deleted.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const evidence = defineSlice({
  name: 'buying/evidence',
  about: 'Keeps pictures of the pages that carts were bought on, for as long as people can look at them.',
  needs: ['buyers/profiles', 'buying/intents'],
  tables: ['purchase_evidence'],
  ids,
  scopes,
  problems,
  operations: [listPurchaseIntentEvidence, getPurchaseIntentEvidence],
  followers: [shredWithProfile],
  sweeps: [sweepEvidence],
})
