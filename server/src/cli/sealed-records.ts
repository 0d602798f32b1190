import { sealedSecrets } from '../features/destinations/public.ts'
import { sealedCards } from '../features/payment-methods/public.ts'
import { sealedBirthDates } from '../features/profiles/public.ts'
import type { SealedRecords } from '../platform/secrets/sealed-witness.ts'

/** All that is sealed under the encryption keys. */
export const sealedRecords: readonly SealedRecords[] = [sealedCards, sealedSecrets, sealedBirthDates]
