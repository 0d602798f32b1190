import type { Operation } from '../../../contract/operation.ts'
import { archiveMppApi } from './archive-mpp-api.ts'
import { createMppApi } from './create-mpp-api.ts'
import { getMppApi } from './get-mpp-api.ts'
import { listMppApis } from './list-mpp-apis.ts'
import { updateMppApi } from './update-mpp-api.ts'

export const mppApiOperations: readonly Operation[] = [
  createMppApi,
  listMppApis,
  getMppApi,
  updateMppApi,
  archiveMppApi,
]
