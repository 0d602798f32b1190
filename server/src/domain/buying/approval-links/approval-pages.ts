import type { ApprovalPages } from '../intents/public.ts'
import { selectOpenLink } from './approval-links.sql.ts'
import { linkAddress, linkToken } from './link-address.ts'

export const approvalPages: ApprovalPages = {
  async addressOf({ tenant, now, reads, sealer, settings }, { id, approval_expires_at: until }) {
    const { elements } = settings
    if (elements === undefined || until === null || until <= now) return null
    const { accountId: account_id, mode } = tenant
    const link = await reads.maybe(
      selectOpenLink({ account_id, mode, purchase_intent_id: id, expires_at: until }),
    )
    return link === null ? null : linkAddress(elements, linkToken(sealer, { id: link.id, mode }))
  },
}
