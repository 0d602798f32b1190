import { join } from 'node:path'
import { accessGuards } from './access.ts'
import { agentsGuards } from './agents.ts'
import { approvalGuards } from './approval.ts'
import { approvalPageGuards } from './approval-pages.ts'
import { boundsGuards } from './bounds.ts'
import { capsGuards } from './caps.ts'
import { cardNumbersGuards } from './card-numbers.ts'
import { chatGuards } from './chats.ts'
import { edgeGuards } from './edge.ts'
import { elementsGuards } from './elements.ts'
import { followingGuards } from './following.ts'
import { groupsGuards } from './groups.ts'
import type { Guard, Listed } from './guard.ts'
import { identityGuards } from './identity.ts'
import { issuedCardsGuards } from './issued-cards.ts'
import { leasesGuards } from './leases.ts'
import { liveGuards } from './live.ts'
import { placed, sourcesOf } from './marks.ts'
import { migrationGuards } from './migrations.ts'
import { neighboursGuards } from './neighbours.ts'
import { offersGuards } from './offers.ts'
import { orderLifeGuards } from './order-life.ts'
import { outsideGuards } from './outside.ts'
import { pagesGuards } from './pages.ts'
import { paidRequestsGuards } from './paid-requests.ts'
import { peopleGuards } from './people.ts'
import { policiesGuards } from './policies.ts'
import { powersGuards } from './powers.ts'
import { railGuards } from './rail.ts'
import { recordsGuards } from './records.ts'
import { retentionGuards } from './retention.ts'
import { retriesGuards } from './retries.ts'
import { sharesGuards } from './shares.ts'
import { stepsGuards } from './steps.ts'
import { tenancyGuards } from './tenancy.ts'
import { tokensGuards } from './tokens.ts'
import { toolsGuards } from './tools.ts'

/** Guards that are marked in the program. */
export const listed: readonly Listed[] = [
  ...capsGuards,
  ...groupsGuards,
  ...policiesGuards,
  ...peopleGuards,
  ...identityGuards,
  ...approvalGuards,
  ...retriesGuards,
  ...powersGuards,
  ...stepsGuards,
  ...railGuards,
  ...liveGuards,
  ...issuedCardsGuards,
  ...leasesGuards,
  ...accessGuards,
  ...tenancyGuards,
  ...offersGuards,
  ...outsideGuards,
  ...recordsGuards,
  ...followingGuards,
  ...retentionGuards,
  ...cardNumbersGuards,
  ...orderLifeGuards,
  ...agentsGuards,
  ...neighboursGuards,
  ...sharesGuards,
  ...edgeGuards,
  ...elementsGuards,
  ...approvalPageGuards,
  ...boundsGuards,
  ...toolsGuards,
  ...tokensGuards,
  ...paidRequestsGuards,
  ...pagesGuards,
  ...chatGuards,
]

export const sources = sourcesOf(join(import.meta.dirname, '../../..'))

/** All guards of money and authority. The suite `mutation` takes them away one at a time. */
export const guards: readonly Guard[] = [...placed(listed, sources), ...migrationGuards]
