import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { IntegrationCheck, renderCheck } from './integration-check.ts'
import { selectCheck } from './integration-checks.sql.ts'

export const getIntegrationCheck = defineOperation({
  id: 'v1_get_integration_check',
  method: 'GET',
  path: '/v1/merchant/integration_checks/{check_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant checks',
  summary: 'Read an integration check',
  description:
    'Shows its steps and what it found. `stale` is true when the settings of the destination have changed since.',
  params: Closed({ check_id: IdParam('The check.', 'chk') }),
  responses: { 200: IntegrationCheck },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectCheck({ account_id: accountId, mode, id: path.check_id }))
    if (!row) throw new Problem('not_found', { param: 'check_id' })
    return reply(200, renderCheck(row, row.settings_now))
  },
})
