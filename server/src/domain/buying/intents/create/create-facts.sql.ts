import { combineReads, part } from '../../../../platform/database/combine-reads.ts'
import { payingMethod } from '../../../buyers/payment-methods/reads.sql.ts'
import { buyer } from '../../../buyers/profiles/reads.sql.ts'
import { keptLabels } from '../../../buyers/shop-answers/reads.sql.ts'
import { registeredHosts } from '../../../discovery/registry/reads.sql.ts'
import { policiesOfPurchase, policyTimes } from '../../../policies/reads.sql.ts'
import { merchantsAtHosts, merchantTimes } from '../../../selling/merchant/reads.sql.ts'
import { selectAccountState } from '../decide/account-state.sql.ts'

/** Everything that a new purchase is decided from, read at one moment. */
export const selectCreateFacts = combineReads('select_create_facts', {
  profiles: part(buyer, []),
  methods: part(payingMethod, []),
  policies: part(policiesOfPurchase, policyTimes),
  merchants: part(merchantsAtHosts, merchantTimes),
  sites: part(registeredHosts, []),
  kept: part(keptLabels, []),
  standings: part(selectAccountState, []),
})
