import type { Operation } from '../../../contract/operation.ts'
import { createIntegrationCheck } from './create-integration-check.ts'
import { getIntegrationCheck, listIntegrationChecks } from './get-integration-checks.ts'

export const integrationCheckOperations: readonly Operation[] = [
  createIntegrationCheck,
  listIntegrationChecks,
  getIntegrationCheck,
]
