import type { Operation } from '../../../contract/operation.ts'
import { createIntegrationCheck } from './create-integration-check.ts'
import { getIntegrationCheck } from './get-integration-check.ts'
import { listIntegrationChecks } from './list-integration-checks.ts'

export const integrationCheckOperations: readonly Operation[] = [
  createIntegrationCheck,
  listIntegrationChecks,
  getIntegrationCheck,
]
