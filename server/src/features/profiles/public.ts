export type { Address, ProfileRow } from './profile.ts'
export { lockProfile, selectProfile } from './profiles.sql.ts'
