import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { payingMethod } from '../../buyers/payment-methods/reads.sql.ts'
import { buyer } from '../../buyers/profiles/reads.sql.ts'

/** The profile of a purchase, and the method that is to pay for it. */
export const selectPayer = combineReads('select_payer', {
  profiles: part(buyer, []),
  methods: part(payingMethod, []),
})
