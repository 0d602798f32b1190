import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { InFlight } from '../../accounts/controls/public.ts'
import { lookAtHost } from '../../discovery/registry/public.ts'
import { Charges } from '../intents/public.ts'
import { MovementCount } from '../rail-movements/public.ts'
import { PaymentRails } from '../rails/public.ts'
import { type LookAtHost, PurchaseMeans } from './channels.ts'
import { chargeOf } from './charges.ts'
import { fundingInvariants } from './funding/invariants.sql.ts'
import { callsInFlight } from './in-flight.ts'
import { executionInvariants } from './invariants.sql.ts'
import { UsedTokens } from './place/handed-over.ts'
import { cartWork, followDecisions, intentWork } from './work.ts'

export const execution = defineSlice({
  name: 'buying/execution',
  about:
    'Carries out approved purchases: asks for the price, holds the money, places the order, captures, and undoes what failed.',
  needs: [
    'accounts/api-keys',
    'accounts/controls',
    'buyers/payment-methods',
    'buyers/profiles',
    'buyers/shop-answers',
    'buying/card-authorizations',
    'buying/cart-results',
    'buying/channels',
    'buying/evidence',
    'buying/intents',
    'buying/native',
    'buying/rail-movements',
    'buying/rails',
    'buying/stranger-orders',
    'discovery/registry',
    'discovery/sources',
    'policies',
    'selling/pricing',
    'trade/orders',
  ],
  tables: ['authorizations', 'effects', 'fundings'],
  work: ({ egress, ports }) => {
    const lookAt: LookAtHost = (place, at) => lookAtHost(egress, place, at)
    const means = {
      ...ports.get(PurchaseMeans),
      rails: ports.get(PaymentRails),
      countMovements: ports.get(MovementCount),
      orderOfToken: ports.get(UsedTokens),
      lookAt,
    }
    return [intentWork(means), cartWork(means)]
  },
  followers: [followDecisions],
  invariants: [...executionInvariants, ...fundingInvariants],
  binds: [bind(InFlight, callsInFlight), bind(Charges, chargeOf)],
})
