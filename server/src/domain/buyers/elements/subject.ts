import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { IdParam } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { exactlyOne } from '../../../schema/rules.ts'
import { readProfile } from '../profiles/public.ts'
import { type ComponentName, type SubjectField, takes } from './component.ts'
import { selectIntent } from './elements.sql.ts'

/** What components are opened for: one of these. */
export const subjectFields = {
  profile_id: Type.Optional(IdParam('The profile that the component acts for.', 'prof')),
  purchase_intent_id: Type.Optional(
    IdParam('The purchase that waits for a person. The component then acts for its profile.', 'pi'),
  ),
}

export const subjectRules = {
  one: 'send either profile_id or purchase_intent_id',
  profile: 'AddPaymentMethod is opened for a profile: send profile_id with it',
  intent: 'MerchantAuthHandoff is opened for a purchase: send purchase_intent_id with it',
}
export const subjectClause = exactlyOne({ profile_id: 'string', purchase_intent_id: 'string' })

type NamedSubject = { profile_id?: string; purchase_intent_id?: string }

/** The profile that a component acts for, and the purchase that it is shown for. */
export type Subject = { readonly profileId: Id<'prof'>; readonly intentId: string | null }

/** Refuses with what the developer of the page has to change. */
export async function findSubject(
  ctx: CallContext,
  named: NamedSubject,
  component: ComponentName,
): Promise<Subject> {
  const { profile_id, purchase_intent_id } = named
  if ((profile_id === undefined) === (purchase_intent_id === undefined))
    throw invalid(['body', 'profile_id'], subjectRules.one)
  const field: SubjectField = profile_id === undefined ? 'purchase_intent_id' : 'profile_id'
  if (!takes(component, field))
    throw invalid(['body', field], field === 'profile_id' ? subjectRules.intent : subjectRules.profile)
  return purchase_intent_id === undefined
    ? ofProfile(ctx, profile_id ?? '')
    : ofIntent(ctx, purchase_intent_id, component)
}

async function ofProfile(ctx: CallContext, id: string): Promise<Subject> {
  const profile = await readProfile(ctx.reads, ctx.tenant, id)
  if (!profile) throw new Problem('not_found', { param: 'profile_id' })
  if (profile.status === 'archived') throw new Problem('profile_archived', { param: 'profile_id' })
  return { profileId: profile.id, intentId: null }
}

async function ofIntent(ctx: CallContext, id: string, component: ComponentName): Promise<Subject> {
  const { accountId: account_id, mode } = ctx.tenant
  const found = await ctx.reads.maybe(selectIntent({ account_id, mode, purchase_intent_id: id }))
  if (!found) throw new Problem('not_found', { param: 'purchase_intent_id' })
  // guard component-that-applies: a component for something else does nothing to a purchase
  if (found.component !== component)
    throw new Problem('component_not_applicable', {
      message:
        found.component === null
          ? `The purchase needs no component now. Show what \`summary\` says.`
          : `The purchase needs ${found.component} now: show that component.`,
      extra: { component: found.component },
    })
  return { profileId: found.profile_id, intentId: id }
}
