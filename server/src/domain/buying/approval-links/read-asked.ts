import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { type LoadedIntent, readIntentWithCarts } from '../intents/public.ts'
import type { ApprovalLinkRow } from './approval-link.ts'

type Link = Pick<ApprovalLinkRow, 'purchase_intent_id' | 'expires_at' | 'secret_hash'>

/** Whether the browser that shows this secret has claimed the link. Throws where another one has. */
export function isClaimedBy(link: Link, secret: string): boolean {
  if (link.secret_hash === null) return false
  // guard link-of-one-browser: whoever gets hold of a link that a person has opened gets nothing for it
  if (!link.secret_hash.equals(elementHash(secret))) throw new Problem('link_claimed')
  return true
}

/** The purchase of a link, and whether a person is still asked what the link asks. */
export async function readAsked(
  ctx: CallContext,
  link: Link,
): Promise<{ intent: LoadedIntent['intent']; isAsked: boolean }> {
  const loaded = await readIntentWithCarts(ctx, link.purchase_intent_id)
  if (!loaded) throw new Problem('link_over')
  const { intent } = loaded
  const until = intent.approval_expires_at
  // guard link-for-its-question: a link for one question opens nothing for a later one
  const isSame = until?.getTime() === link.expires_at.getTime()
  return { intent, isAsked: intent.status === 'awaiting_approval' && isSame && link.expires_at > ctx.now }
}
