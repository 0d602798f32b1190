import type { StateTable } from '../../../core/state-table.ts'

export const linkStatuses = ['pending', 'opened', 'completed', 'expired', 'revoked'] as const
export type LinkStatus = (typeof linkStatuses)[number]

type LinkTrigger = 'open' | 'complete' | 'expire' | 'revoke'

/** Once a link is opened, its token works no more: only the one session that replaced it continues. */
export const linkTable = {
  pending: { open: 'opened', expire: 'expired', revoke: 'revoked' },
  opened: { complete: 'completed', expire: 'expired', revoke: 'revoked' },
  completed: {},
  expired: {},
  revoked: {},
} as const satisfies StateTable<LinkStatus, LinkTrigger>
