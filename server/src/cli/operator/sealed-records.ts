import { sealedCards } from '../../domain/buyers/payment-methods/public.ts'
import { sealedBirthDates } from '../../domain/buyers/profiles/public.ts'
import { sealedSecrets } from '../../domain/webhooks/destinations/public.ts'
import type { SealedRecords } from '../../platform/secrets/sealed-witness.ts'

/** All that is sealed under the encryption keys. */
export const sealedRecords: readonly SealedRecords[] = [sealedCards, sealedSecrets, sealedBirthDates]
