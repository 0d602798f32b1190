import { archiveProfile } from './archive-profile.ts'
import { createProfile } from './create-profile.ts'
import { createProfileAddress } from './create-profile-address.ts'
import { deleteProfileAddress } from './delete-profile-address.ts'
import { getProfile, listProfiles } from './get-profiles.ts'
import { startProfileIssuing } from './start-profile-issuing.ts'
import { updateProfile } from './update-profile.ts'
import { updateProfileAddress } from './update-profile-address.ts'

export const profileOperations = [
  createProfile,
  listProfiles,
  getProfile,
  updateProfile,
  archiveProfile,
  createProfileAddress,
  updateProfileAddress,
  deleteProfileAddress,
  startProfileIssuing,
]
