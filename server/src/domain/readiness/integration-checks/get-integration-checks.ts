import Type from 'typebox'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Filter, IdParam } from '../../../contract/schemas.ts'
import { CheckKindSchema, CheckStatusSchema, IntegrationCheck, renderCheck } from './integration-check.ts'
import { countChecks, selectCheck, selectChecks } from './integration-checks.sql.ts'

export const getIntegrationCheck = getOperation({
  id: 'v1_get_integration_check',
  path: '/v1/merchant/integration_checks/{check_id}',
  scope: 'merchant:read',
  tag: 'Merchant checks',
  summary: 'Read an integration check',
  description:
    'Shows its steps and what it found. `stale` is true when the settings of the destination have changed since.',
  params: { check_id: IdParam('The check.', 'chk') },
  shows: IntegrationCheck,
  row: selectCheck,
  render: (row) => renderCheck(row, row.settings_now),
})

export const listIntegrationChecks = listOperation({
  id: 'v1_list_integration_checks',
  path: '/v1/merchant/integration_checks',
  scope: 'merchant:read',
  tag: 'Merchant checks',
  summary: 'List integration checks, newest first',
  description:
    'Shows which destinations were checked and how it ended; narrow the list with `kind`, `status` or `destination_id`.',
  filters: {
    kind: Filter(CheckKindSchema, 'Only checks of this kind.'),
    status: Filter(CheckStatusSchema, 'Only checks in this status.'),
    destination_id: Type.Optional(IdParam('Only checks of this destination.', 'dest')),
  },
  lists: [IntegrationCheck, 'IntegrationCheckList'],
  rows: selectChecks,
  count: countChecks,
  render: (row) => renderCheck(row, row.settings_now),
})
