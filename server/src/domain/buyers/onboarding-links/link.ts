import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import {
  At,
  Closed,
  Described,
  IdOf,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { type LinkStatus, linkStatuses } from './machine.ts'

const useCases = ['account_onboarding', 'account_update'] as const

/** How many hours the link can be opened, and how many minutes the form may take after that. */
export const linkHours = 24
export const formMinutes = 30

export const OnboardingLinkStatus = Named(
  'OnboardingLinkStatus',
  OneOf(linkStatuses, {
    description: 'Whether a link was opened and used. Only `pending` and `opened` links still work.',
  }),
)

export const UseCase = Closed({
  type: OneOf(useCases, {
    description: '`account_onboarding` makes a new profile, `account_update` changes one.',
  }),
})

export const LinkParams = { link_id: IdParam('The onboarding link.', 'onb') }

export const OnboardingLink = Named(
  'OnboardingLink',
  Closed(
    {
      ...objectHead('onb', 'onboarding_link'),
      use_case: Described(UseCase, 'What the link is for.'),
      profile: Closed(
        { id: IdOf('prof', 'The id of the profile.') },
        {
          description:
            'The profile. For `account_onboarding` its id is reserved, and it exists once the form is sent.',
        },
      ),
      status: Described(OnboardingLinkStatus, 'Whether the link was used.'),
      url: Type.Optional(
        Type.String({
          description: 'What to send to the person, shown only when the link is created. Send it now.',
        }),
      ),
      expires_at: At('Until when the link works.'),
      opened_at: Nullable(At('When it was first opened; null if it was not.')),
      completed_at: Nullable(At('When the form was sent; null if it was not.')),
      revoked_at: Nullable(At('When it was revoked; null if it was not.')),
      metadata: Metadata,
    },
    { description: 'A link to a hosted page where a person fills in a profile.' },
  ),
)
export type OnboardingLink = Static<typeof OnboardingLink>

export type LinkRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'onb'>
  use_case: (typeof useCases)[number]
  profile_id: Id<'prof'>
  status: LinkStatus
  token_hash: Buffer
  session_hash: Buffer | null
  expires_at: Date
  session_expires_at: Date | null
  metadata: Record<string, string>
  due_at: Date | null
  seq: number
  created_at: Date
  updated_at: Date
  opened_at: Date | null
  completed_at: Date | null
  revoked_at: Date | null
}

export function renderLink(row: LinkRow, now: Date): OnboardingLink {
  return {
    id: row.id,
    object: 'onboarding_link',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    use_case: { type: row.use_case },
    profile: { id: row.profile_id },
    status: statusAt(row, now),
    expires_at: endOf(row).toISOString(),
    opened_at: row.opened_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    metadata: row.metadata,
  }
}

/** A link whose time is over is expired, also in the moment before it is marked so. */
export function statusAt(
  row: Pick<LinkRow, 'status' | 'expires_at' | 'session_expires_at'>,
  now: Date,
): LinkStatus {
  const isOpen = row.status === 'pending' || row.status === 'opened'
  return isOpen && endOf(row) <= now ? 'expired' : row.status
}

/** Until when the link can be opened, or, once it is opened, the form can be sent. */
function endOf(row: Pick<LinkRow, 'expires_at' | 'session_expires_at'>): Date {
  return row.session_expires_at ?? row.expires_at
}
