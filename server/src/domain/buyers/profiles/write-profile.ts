import { changesOf } from '../../../platform/aggregate/changes.ts'
import type { profileEvents } from './events.ts'
import { type ProfileRow, renderProfile } from './profile.ts'
import { insertProfile, lockProfile, updateProfileRow } from './profiles.sql.ts'

export const { add: addRow, change: changeProfile } = changesOf<ProfileRow, keyof typeof profileEvents>({
  param: 'profile_id',
  insert: insertProfile,
  lock: lockProfile,
  update: updateProfileRow,
  render: (row, { tenant }) => renderProfile(row, tenant),
})
