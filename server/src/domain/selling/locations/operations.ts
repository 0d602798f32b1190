import type { Operation } from '../../../contract/operation.ts'
import { archiveBusinessLocation } from './archive-location.ts'
import { createBusinessLocation } from './create-location.ts'
import { getBusinessLocation, listBusinessLocations } from './get-locations.ts'
import { updateBusinessLocation } from './update-location.ts'

export const locationOperations: readonly Operation[] = [
  createBusinessLocation,
  listBusinessLocations,
  getBusinessLocation,
  updateBusinessLocation,
  archiveBusinessLocation,
]
