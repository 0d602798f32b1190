export type { Address, BuyerRow, ProfileRow } from './profile.ts'
export { lockProfile, selectBuyer, selectProfile } from './profiles.sql.ts'
