import { writesOf } from '../../../platform/aggregate/changes.ts'
import type { onboardingLinkEvents } from './events.ts'
import { type LinkRow, renderLink } from './link.ts'
import { insertLink, updateLink } from './links.sql.ts'

type LinkEvent = keyof typeof onboardingLinkEvents

export const { add: addLink, write: writeLink } = writesOf<LinkRow, LinkEvent>({
  insert: insertLink,
  update: updateLink,
  render: (row, { now }) => renderLink(row, now),
})
