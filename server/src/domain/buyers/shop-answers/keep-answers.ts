import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { readProfile } from '../profiles/public.ts'
import { sealAnswer } from './seal-answer.ts'
import { selectShopAnswers, upsertShopAnswer } from './shop-answers.sql.ts'

/** More than a person answers in years. */
export const answersMax = 200

type Told = { readonly host: string; readonly name: string; readonly label: string; readonly value: string }

/** The profile keeps what was told to a shop; what it kept for the same field is replaced. `domain`: the registrable domain of the shop. */
export async function keepAnswers(
  ctx: ActingContext,
  { profileId, domain }: { profileId: string; domain: string },
  answers: readonly Told[],
): Promise<void> {
  const { accountId: account_id, mode } = ctx.tenant
  const profile = await readProfile(ctx.tx, ctx.tenant, profileId)
  if (profile?.status !== 'active') throw new Problem('profile_not_active')
  for (const { host, name, label, value } of answers) {
    const sealed = sealAnswer(ctx.sealer, { owner: profileId, host, name }, value)
    const kept = await ctx.tx.maybe(
      upsertShopAnswer({
        account_id,
        mode,
        profile_id: profileId,
        host,
        name,
        domain,
        label,
        sealed,
        most: answersMax,
      }),
    )
    if (kept === null) throw new Problem('object_limit_reached')
  }
}

type Kept = { readonly host: string; readonly name: string; readonly label: string; readonly sealed: string }

/** Sealed as they are kept: they open for the profile, the host and the name alone. */
export async function readKeptAnswers(
  { tx, tenant }: Pick<ActingContext, 'tx' | 'tenant'>,
  profile_id: string,
): Promise<readonly Kept[]> {
  return await tx.rows(selectShopAnswers({ account_id: tenant.accountId, mode: tenant.mode, profile_id }))
}
