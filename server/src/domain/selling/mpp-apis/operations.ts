import type { Operation } from '../../../contract/operation.ts'
import { archiveMppApi } from './archive-mpp-api.ts'
import { createMppApi } from './create-mpp-api.ts'
import { getMppApi, listMppApis } from './get-mpp-apis.ts'
import { updateMppApi } from './update-mpp-api.ts'

export const mppApiOperations: readonly Operation[] = [
  createMppApi,
  listMppApis,
  getMppApi,
  updateMppApi,
  archiveMppApi,
]
