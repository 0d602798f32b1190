import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { Merchant } from './merchant.ts'

const merchantEvent = defineEvent<Merchant>()

/** The events of this slice. */
export const merchantEvents = {
  'merchant.updated': merchantEvent({ summary: 'The merchant record changed.' }),
  'merchant.confirmed': merchantEvent({ summary: 'A person confirmed who the merchant is.' }),
  'merchant.domain_verification_requested': merchantEvent({
    summary: 'A verification of the domain was asked for.',
  }),
  'merchant.domain_verification_found': merchantEvent({
    summary: 'The proof of the domain was found again.',
  }),
  'merchant.domain_verification_failed': merchantEvent({ summary: 'The domain was not verified.' }),
  'merchant.domain_verification_missing': merchantEvent({
    summary: 'The proof of a verified domain was not found.',
  }),
  'merchant.domain_verification_lapsed': merchantEvent({ summary: 'The domain is verified no longer.' }),
  'merchant.domain_verified': merchantEvent({ summary: 'The domain is verified.' }),
  'merchant.test_domain_held': merchantEvent({ summary: 'The account holds a reserved test domain.' }),
  'merchant.test_domain_released': merchantEvent({
    summary: 'The account let go of a reserved test domain.',
  }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof merchantEvents> {}
}
