import type { ActingContext } from '../../../contract/context.ts'
import type { onboardingLinkEvents } from './events.ts'
import { type LinkRow, type OnboardingLink, renderLink } from './link.ts'
import { type LinkWrite, updateLink } from './links.sql.ts'

export type LinkEvent = keyof typeof onboardingLinkEvents

/** A row as its statements take it. */
export function writeOf(row: LinkRow): LinkWrite {
  return { ...row, metadata: JSON.stringify(row.metadata) }
}

/** Writes a locked link's changes and their event. */
export function changeLink(
  ctx: ActingContext,
  row: LinkRow,
  changes: Partial<LinkRow>,
  type: LinkEvent,
): OnboardingLink {
  const changed: LinkRow = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const link = renderLink(changed, ctx.now)
  ctx.tx.write(updateLink(writeOf(changed)))
  ctx.tx.emit({ type, aggregateId: row.id, sequence: changed.seq, object: link })
  return link
}
