import type { Mode, Reads } from '../../../contract/context.ts'
import { createReads } from '../../../platform/calls/reads.ts'
import { type ActingParts, runAs } from '../../../platform/calls/run-as.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { registryEntryOfHost } from '../../discovery/registry/public.ts'
import { type StrangerNews, tellOfStrangerOrder } from '../../trade/orders/public.ts'
import { hashOf, namedBy, type ToldAs } from './named.ts'
import {
  type FollowedRow,
  keepMessage,
  lockFollowed,
  lockNamed,
  noteTold,
  selectFollowed,
  selectSaid,
  selectSenders,
  takeMessage,
} from './stranger-orders.sql.ts'

/** A message of a merchant elsewhere about one order, whose sender was proven. */
type OrderMessage = ToldAs & {
  /** As its sender calls it: the same message again has the same id. */
  readonly id: string
  /** By the clock of its sender. */
  readonly sentAt: Date
  readonly news: StrangerNews
  /** A hash of its bytes. */
  readonly said: Buffer
}

/**
 * `kept`: there is no such order yet. `older`: a newer one was applied before. `foreign`: the order was placed with somebody else. `full`:
 * too much of this sender waits for orders. `changed`: another message had this id.
 */
type Received = 'applied' | 'kept' | 'repeated' | 'changed' | 'older' | 'foreign' | 'full'

/** How many messages of one sender can wait for their orders. */
const keptMax = 200
/** More merchants with a checkout of one name are not looked at. */
const sendersMax = 5

/** In which mode a sender is looked up: that of an order with such a checkout, else that in which its site is known. */
export async function modeOfSender(reads: Pick<Reads, 'rows' | 'maybe'>, toldAs: ToldAs): Promise<Mode> {
  const followed = await reads.maybe(selectFollowed(namedBy(toldAs)))
  if (followed) return followed.mode
  const [other] = await sendersOf(reads, toldAs.checkout)
  if (other) return other.mode
  const { host } = new URL(toldAs.sender)
  return (await registryEntryOfHost(reads, 'test', host)) === null ? 'live' : 'test'
}

/** Who may write about a checkout of this name, where a message does not say who it is from. */
export function sendersOf(
  reads: Pick<Reads, 'rows'>,
  checkout: string,
): Promise<{ sender: string; mode: Mode }[]> {
  return reads.rows(selectSenders({ checkout: hashOf(checkout), limit: sendersMax }))
}

/** Takes each message once. Nothing that it says moves any money. */
export async function receiveOrderMessage(parts: ActingParts, message: OrderMessage): Promise<Received> {
  const reads = createReads(parts.pools)
  const { name, ...named } = namedBy(message)
  const followed = await reads.maybe(selectFollowed(named))
  if (followed) return apply(parts, followed, message)
  const senders = await sendersOf(reads, message.checkout)
  // The order may have been placed since, and then its own sender is among them.
  if (senders.length > 0 && !senders.some(({ sender }) => sender === message.sender)) return 'foreign'
  const keeping = {
    ...named,
    message: hashOf(message.id),
    said: message.said,
    sent_at: message.sentAt,
    now: await parts.clock.now(),
    news: JSON.stringify(message.news),
    kept_max: keptMax,
  }
  const kept = await inTransaction(parts.pools, async (tx) => {
    // A statement of its own: the next one sees what was committed while this one waited.
    await tx.rows(lockNamed({ name }))
    return (await tx.rows(keepMessage(keeping)))[0]
  })
  if (!kept) throw new Error('a message was neither kept nor turned away')
  if (kept.is_new) return 'kept'
  // Where its order was placed while the message waited, it is there now.
  const since = await reads.maybe(selectFollowed(named))
  if (since) return apply(parts, since, message)
  if (kept.is_other) return 'changed'
  return kept.was_known || kept.kept < keptMax ? 'repeated' : 'full'
}

function apply(parts: ActingParts, followed: FollowedRow, message: OrderMessage): Promise<Received> {
  const { account_id: accountId, mode, order_id } = followed
  const actor = { type: 'platform', id: message.sender } as const
  return runAs(parts, { tenant: { accountId, mode }, actor }, async (ctx): Promise<Received> => {
    const before = await ctx.tx.maybe(lockFollowed(followed))
    if (!before) throw new Error('an order at a stranger is no longer there')
    const isOlder = before.told_at !== null && message.sentAt < before.told_at
    const { name: _, ...named } = namedBy(message)
    const taken = await ctx.tx.maybe(
      takeMessage({
        ...followed,
        ...named,
        message: hashOf(message.id),
        said: message.said,
        sent_at: message.sentAt,
        now: ctx.now,
        state: isOlder ? 'older' : 'applied',
      }),
    )
    if (!taken) {
      const known = await ctx.tx.maybe(selectSaid({ sender: message.sender, message: hashOf(message.id) }))
      return known?.said?.equals(message.said) === false ? 'changed' : 'repeated'
    }
    if (isOlder) return 'older'
    await tellOfStrangerOrder(ctx, order_id, message.news)
    ctx.tx.write(noteTold({ ...followed, told_at: message.sentAt }))
    return 'applied'
  })
}
