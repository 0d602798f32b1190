import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { payingMethod } from '../../buyers/payment-methods/reads.sql.ts'
import { toldBuyer } from '../../buyers/profiles/reads.sql.ts'

/** The buyer as merchants are told it, and the method that is to pay. */
export const selectPayerTold = combineReads('select_payer_told', {
  profiles: part(toldBuyer, []),
  methods: part(payingMethod, []),
})
