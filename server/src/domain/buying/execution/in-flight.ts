import type { CallsInFlight } from '../../accounts/controls/public.ts'
import { selectInFlight } from './in-flight.sql.ts'

export const callsInFlight: CallsInFlight = ({ tenant, tx }, { profileId, agentId }) =>
  tx.rows(
    selectInFlight({
      account_id: tenant.accountId,
      mode: tenant.mode,
      profile_id: profileId,
      agent_id: agentId,
    }),
  )
