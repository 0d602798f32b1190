import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { archiveProfile } from './archive-profile.ts'
import { createProfile } from './create-profile.ts'
import { createProfileAddress } from './create-profile-address.ts'
import { deleteProfileAddress } from './delete-profile-address.ts'
import { profileEvents } from './events.ts'
import { getProfile, listProfiles } from './get-profiles.ts'
import { startProfileIssuing } from './start-profile-issuing.ts'
import { updateProfile } from './update-profile.ts'
import { updateProfileAddress } from './update-profile-address.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  prof: { names: 'a profile' },
  addr: { names: 'an address of a profile', isOpen: true },
})

declare module '../../../contract/ids.ts' {
  interface ProfilePrefixes extends Record<'prof', string> {}
}

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'profiles:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'profiles:write': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  profile_not_active: {
    status: 409,
    retryable: false,
    message:
      'The profile is not active, so nothing is bought for it. `status` of v1_get_profile says how it stands.',
  },
  profile_archived: {
    status: 409,
    retryable: false,
    message: 'The profile is archived and no longer changes. Use another profile, or create one.',
  },
  issuing_not_available: {
    status: 409,
    retryable: false,
    message: 'Identity verification cannot be started for this profile: see `issuing.state` and `status`.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const profiles = defineSlice({
  name: 'buyers/profiles',
  about: 'Keeps the people and companies that are bought for, with their addresses.',
  needs: [],
  tables: ['profiles'],
  ids,
  scopes,
  problems,
  tags: {
    Profiles: 'The people and businesses you buy for: who is billed and where goods are shipped.',
  },
  events: profileEvents,
  operations: [
    createProfile,
    listProfiles,
    getProfile,
    updateProfile,
    archiveProfile,
    createProfileAddress,
    updateProfileAddress,
    deleteProfileAddress,
    startProfileIssuing,
  ],
})
