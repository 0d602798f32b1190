import { type Limits, limitsTable, mapLimits } from '../../src/contract/limits.ts'

/** Every limit as it is without a setting. */
export const defaultLimits: Limits = mapLimits((name) => limitsTable[name].default)
