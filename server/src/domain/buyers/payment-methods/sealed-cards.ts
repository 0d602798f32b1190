import type { SealedRecords } from '../../../platform/secrets/sealed-witness.ts'
import { selectSealedCards } from './payment-methods.sql.ts'
import { sealedAs } from './stored-card.ts'

/** The cards of payment methods. */
export const sealedCards: SealedRecords = { what: 'cards', sealedAs, select: () => selectSealedCards({}) }
