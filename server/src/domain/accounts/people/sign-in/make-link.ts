import type { ActingContext } from '../../../../contract/context.ts'
import type { Id } from '../../../../core/id.ts'
import { newToken } from '../../../../platform/secrets/keyed-hash.ts'
import { consoleAddress } from './console-origin.ts'
import { insertLink, replaceLinks } from './sign-ins.sql.ts'

const hourMs = 3_600_000

/** How long a link signs in that was sent, and one that is read from a screen. */
const linkHours = { invitation: 72, printed_link: 1, email_link: 0.25 } as const

export type MadeLink = { readonly url: string; readonly expires_at: string }

/** Makes a link that signs the person in once. It ends those that were made before. */
export async function makeLink(
  ctx: ActingContext,
  { personId, kind, by }: { personId: Id<'per'>; kind: keyof typeof linkHours; by: string },
): Promise<MadeLink> {
  const token = newToken('pr_sl_', ctx.random)
  const expires_at = new Date(ctx.now.getTime() + linkHours[kind] * hourMs)
  await ctx.tx.rows(replaceLinks({ person_id: personId, now: ctx.now }))
  ctx.tx.write(
    insertLink({
      hash: ctx.sealer.hashToken(token),
      person_id: personId,
      account_id: ctx.tenant.accountId,
      kind,
      made_by: by,
      created_at: ctx.now,
      expires_at,
    }),
  )
  // In the fragment, which no server and no log sees.
  return { url: `${consoleAddress(ctx.settings, '/sign-in')}#${token}`, expires_at: expires_at.toISOString() }
}
