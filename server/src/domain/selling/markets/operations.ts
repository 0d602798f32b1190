import type { Operation } from '../../../contract/operation.ts'
import { archiveMarket } from './archive-market.ts'
import { createMarket } from './create-market.ts'
import { getMarket, listMarkets } from './get-markets.ts'
import { updateMarket } from './update-market.ts'

export const marketOperations: readonly Operation[] = [
  createMarket,
  listMarkets,
  getMarket,
  updateMarket,
  archiveMarket,
]
