export { addBillingAddressOf, BillingAddress } from './add-billing-address-of.ts'
export { addProfile, ProfileCreate } from './add-profile.ts'
export { addressesMax, newAddress, withAddress } from './addresses.ts'
export { isoDateOfBirth } from './date-of-birth.ts'
export { decideIssuing } from './decide-issuing.ts'
export { findProfileId } from './find-profile.ts'
export { lockProfileOwner } from './lock-profile-owner.ts'
export {
  type Address,
  type BuyerFacts,
  DateOfBirth,
  type ProfileFacts,
  personName,
  type ToldBuyer,
} from './profile.ts'
export { readProfile } from './read-profile.ts'
export { sealedBirthDates } from './sealed-birth-dates.ts'
export { changedFields } from './update-profile.ts'
export { changeProfile } from './write-profile.ts'
