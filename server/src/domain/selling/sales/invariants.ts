import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkSales, checkSaleWork } from './invariants.sql.ts'

export const saleInvariants: readonly Invariant[] = [
  {
    id: 'M5-sales',
    title:
      'Each sale to a buyer without an account has the order and the payment that its state says, and no such order is without its sale',
    statement: checkSales({}),
  },
  {
    id: 'W2-sales',
    title: 'No sale waits past its time',
    needsWorkers: true,
    statement: checkSaleWork({}),
  },
]
