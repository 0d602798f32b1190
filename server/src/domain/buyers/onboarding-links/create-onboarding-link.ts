import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid, Problem, ValidationProblem } from '../../../contract/problem.ts'
import { Closed, Described, IdParam, Metadata } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { subjectOf, takeRates } from '../../../platform/limits/rates.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { given, not, Ruled, says, whenThen } from '../../../schema/rules.ts'
import { readProfile } from '../profiles/public.ts'
import { type LinkRow, linkHours, OnboardingLink, UseCase } from './link.ts'
import { addLink } from './write-link.ts'

const rules = { reserved: 'leave this out for account_onboarding, which reserves an id for a new profile' }
const about = (type: string) => ({ required: ['use_case'], properties: { use_case: says('type', type) } })

const OnboardingLinkCreate = Ruled(
  Closed({
    use_case: Described(UseCase, 'What the link is for.'),
    profile: Type.Optional(
      Closed(
        { id: IdParam('The profile to change.', 'prof') },
        { description: 'Only with `account_update`: the profile to change.' },
      ),
    ),
    metadata: Type.Optional(Metadata),
  }),
  rules,
  [
    whenThen(about('account_update'), given('profile', 'object')),
    whenThen(about('account_onboarding'), not(given('profile', 'object'))),
  ],
)

export const createOnboardingLink = defineOperation({
  id: 'v1_create_onboarding_link',
  method: 'POST',
  path: '/v1/onboarding_links',
  auth: 'secret',
  // What a person sends through the link becomes a profile, and a link to an existing profile shows it.
  scope: 'profiles:write',
  tag: 'Onboarding links',
  summary: 'Create an onboarding link',
  description:
    'Send its `url` to a person: it opens a hosted page where the person fills in a new profile or changes an existing ' +
    'one. The link works once, within 24 hours. Only this answer shows the `url`.',
  body: OnboardingLinkCreate,
  examples: {
    new_profile: {
      summary: 'Invite a person to fill in a new profile',
      body: { use_case: { type: 'account_onboarding' } },
    },
    update: {
      summary: 'Ask a person to check an existing profile',
      body: { use_case: { type: 'account_update' }, profile: { id: exampleId('prof') } },
    },
  },
  responses: { 201: OnboardingLink },
  problems: ['not_found', 'profile_archived'],
  async handle(ctx, { body }) {
    const token = newToken('onb_', ctx.random)
    const expiresAt = new Date(ctx.now.getTime() + linkHours * 3_600_000)
    const row: LinkRow = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      id: ctx.newId('onb'),
      use_case: body.use_case.type,
      profile_id:
        body.use_case.type === 'account_update'
          ? await ownProfile(ctx, body.profile?.id)
          : reservedProfile(ctx, body.profile),
      status: 'pending',
      token_hash: ctx.sealer.hashToken(token),
      session_hash: null,
      expires_at: expiresAt,
      session_expires_at: null,
      metadata: body.metadata ?? {},
      due_at: expiresAt,
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      opened_at: null,
      completed_at: null,
      revoked_at: null,
    }
    await takeRates(ctx, [{ limit: 'onboardingLinks', subject: subjectOf(ctx.tenant) }])
    const link = addLink(ctx, row, 'onboarding_link.created')
    return reply(201, link, { reveal: { url: `${ctx.settings.publicUrl}/onboarding/${token}` } })
  },
})

async function ownProfile(ctx: CallContext, id: string | undefined): Promise<Id<'prof'>> {
  if (id === undefined) {
    throw new ValidationProblem([{ type: 'missing', loc: ['body', 'profile'], msg: 'Field required' }])
  }
  const profile = await readProfile(ctx.reads, ctx.tenant, id)
  if (!profile) throw new Problem('not_found', { param: 'profile.id' })
  if (profile.status === 'archived') throw new Problem('profile_archived', { param: 'profile.id' })
  return profile.id
}

function reservedProfile(ctx: CallContext, given: object | undefined): Id<'prof'> {
  if (given !== undefined) {
    throw invalid(['body', 'profile'], rules.reserved)
  }
  return ctx.newId('prof')
}
