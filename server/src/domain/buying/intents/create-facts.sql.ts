import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { selectUsablePaymentMethod } from '../../buyers/payment-methods/public.ts'
import { buyer } from '../../buyers/profiles/reads.sql.ts'
import { selectApplicablePolicies } from '../../policies/public.ts'
import { merchantTimes } from '../../selling/merchant/public.ts'
import { merchantsAtHosts } from '../../selling/merchant/reads.sql.ts'
import { selectAccountState } from './account-state.sql.ts'

/** Everything that a new purchase is decided from, as it stands at one moment. */
export const selectCreateFacts = combineReads('select_create_facts', {
  profiles: part(buyer, []),
  methods: part(selectUsablePaymentMethod, ['created_at', 'updated_at', 'deleted_at']),
  policies: part(selectApplicablePolicies, [
    'valid_from',
    'valid_until',
    'created_at',
    'updated_at',
    'archived_at',
  ]),
  merchants: part(merchantsAtHosts, merchantTimes),
  standings: part(selectAccountState, []),
})
