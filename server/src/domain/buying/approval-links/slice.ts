import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { ApprovalPages } from '../intents/public.ts'
import { sweepLinks } from './approval-links.sql.ts'
import { approvalPages } from './approval-pages.ts'
import { claimApprovalLink } from './claim-approval-link.ts'
import { createApprovalLink } from './create-approval-link.ts'
import { lookAtApprovalLink } from './look-at-approval-link.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  link: { names: 'an approval link' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  approval_pages_not_configured: {
    status: 409,
    retryable: false,
    message:
      'This installation has no pages on which people approve: nobody has said where they are reached. Tell its operator to set PROKURA_ELEMENTS_URL.',
  },
  link_claimed: {
    status: 410,
    retryable: false,
    message: 'This link was opened in another browser, and is of that one now. Ask for a new link.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const approvalLinks = defineSlice({
  name: 'buying/approval-links',
  about: 'Sends a person a link to a page of ours, on which they approve or decline one purchase.',
  needs: ['accounts/api-keys', 'buyers/elements', 'buyers/profiles', 'buying/intents'],
  tables: ['approval_links'],
  ids,
  problems,
  tags: {
    'Approval links': 'Links to a hosted page on which a person approves or declines a purchase.',
  },
  operations: [createApprovalLink, lookAtApprovalLink, claimApprovalLink],
  sweeps: [sweepLinks],
  binds: [bind(ApprovalPages, approvalPages)],
})
