import type { StateTable } from '../../../core/state-table.ts'

export const linkStatuses = ['pending', 'opened', 'completed', 'expired', 'revoked'] as const
export type LinkStatus = (typeof linkStatuses)[number]

export type LinkTrigger = 'open' | 'complete' | 'expire' | 'revoke'

/** Opened means that its token is gone: what goes on is the one session that it was exchanged for. */
export const linkTable = {
  pending: { open: 'opened', expire: 'expired', revoke: 'revoked' },
  opened: { complete: 'completed', expire: 'expired', revoke: 'revoked' },
  completed: {},
  expired: {},
  revoked: {},
} as const satisfies StateTable<LinkStatus, LinkTrigger>
