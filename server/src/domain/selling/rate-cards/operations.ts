import type { Operation } from '../../../contract/operation.ts'
import { archiveRateCard } from './archive-rate-card.ts'
import { calculateRateCard } from './calculate-rate-card.ts'
import { createRateCard } from './create-rate-card.ts'
import { getRateCard, listRateCards } from './get-rate-cards.ts'
import { updateRateCard } from './update-rate-card.ts'

export const rateCardOperations: readonly Operation[] = [
  createRateCard,
  listRateCards,
  getRateCard,
  updateRateCard,
  archiveRateCard,
  calculateRateCard,
]
