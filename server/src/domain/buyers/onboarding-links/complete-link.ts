import type { ActingContext } from '../../../contract/context.ts'
import { invalid } from '../../../contract/problem.ts'
import { next } from '../../../core/state-table.ts'
import {
  addProfile,
  addressesMax,
  changedFields,
  changeProfile,
  newAddress,
  type ProfileCreate,
  type ProfileFacts,
  personName,
  withAddress,
} from '../profiles/public.ts'
import { shownAddress } from './form-fields.ts'
import { type LinkRow, statusAt } from './link.ts'
import { lockLink } from './links.sql.ts'
import { linkTable } from './machine.ts'
import { writeLink } from './write-link.ts'

/** An opened link, and the hash of the session that replaced its token. */
export type Session = { readonly link: LinkRow; readonly hash: Buffer }

/**
 * Takes the form: makes or changes the profile and completes the link, in one transaction. False: the session is over, and nothing was
 * written. Throws the same refusals that an API caller gets.
 */
export async function completeLink(
  ctx: ActingContext,
  { link, hash }: Session,
  typed: ProfileCreate,
): Promise<boolean> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockLink({ account_id: accountId, mode, id: link.id }))
  if (!row?.session_hash?.equals(hash)) return false
  // guard form-taken-once: a form is taken once, and not after its link was revoked
  const status = next(linkTable, statusAt(row, ctx.now), 'complete')
  if (status === null) return false
  if (row.use_case === 'account_onboarding') addProfile(ctx, row.profile_id, typed)
  else {
    await changeProfile(ctx, row.profile_id, 'profile.updated', (profile) => changesOf(ctx, profile, typed))
  }
  const changes = { status, completed_at: ctx.now, due_at: null }
  writeLink(ctx, row, changes, 'onboarding_link.completed')
  return true
}

/**
 * The changes that the person made to the profile. A last name or phone number that was emptied is removed; an address is added as the new default.
 */
function changesOf(ctx: ActingContext, profile: ProfileFacts, typed: ProfileCreate): Partial<ProfileFacts> {
  const { addresses = [], profile_type: _, metadata: __, ...fields } = typed
  const [address] = addresses
  return {
    ...changedFields(ctx, profile, {
      ...fields,
      last_name: typed.last_name ?? null,
      phone: typed.phone ?? null,
    }),
    ...(address && !isShown(profile, address) ? { addresses: added(ctx, profile, typed, address) } : {}),
  }
}

type TypedAddress = NonNullable<ProfileCreate['addresses']>[number]

function added(
  ctx: ActingContext,
  { addresses }: ProfileFacts,
  typed: ProfileCreate,
  address: TypedAddress,
): ProfileFacts['addresses'] {
  if (addresses.length >= addressesMax)
    throw invalid(['body', 'addresses', 0, 'line1'], 'the profile holds as many addresses as it may')
  const told = { recipientName: personName(typed), loc: ['body', 'addresses', 0] }
  return withAddress(addresses, newAddress(ctx, { ...address, is_default: true }, told))
}

function isShown(profile: ProfileFacts, typed: TypedAddress): boolean {
  const shown = shownAddress(profile)
  if (!shown) return false
  const parts = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const
  return parts.every((part) => (typed[part] ?? null) === shown[part])
}
