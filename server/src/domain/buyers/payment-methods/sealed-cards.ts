import type { SealedRecords } from '../../../platform/secrets/sealed-witness.ts'
import { selectSealedCards } from './payment-methods.sql.ts'
import { sealedAs } from './vault.ts'

/** The cards that the vault keeps. */
export const sealedCards: SealedRecords = { what: 'cards', sealedAs, select: () => selectSealedCards({}) }
