import type { Operation } from '../../../contract/operation.ts'
import { archivePromotion } from './archive-promotion.ts'
import { createPromotion } from './create-promotion.ts'
import { endPromotion } from './end-promotion.ts'
import { getPromotion, listPromotions } from './get-promotions.ts'
import { pausePromotion } from './pause-promotion.ts'
import { publishPromotion } from './publish-promotion.ts'
import { resumePromotion } from './resume-promotion.ts'
import { updatePromotion } from './update-promotion.ts'

export const promotionOperations: readonly Operation[] = [
  createPromotion,
  listPromotions,
  getPromotion,
  updatePromotion,
  publishPromotion,
  pausePromotion,
  resumePromotion,
  endPromotion,
  archivePromotion,
]
