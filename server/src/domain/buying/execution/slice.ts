import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { InFlight } from '../../accounts/controls/public.ts'
import { lookAtHost } from '../../discovery/registry/public.ts'
import { Charges } from '../intents/public.ts'
import { type LookAtHost, PurchaseMeans } from './channels.ts'
import { chargeOf } from './charges.ts'
import { callsInFlight } from './in-flight.ts'
import { executionInvariants } from './invariants.sql.ts'
import { sweepMovements } from './movements/movements.sql.ts'
import { feedWork } from './movements/read-feed.ts'
import { UsedTokens } from './place/handed-over.ts'
import { cartWork, followDecisions, intentWork, refundWork } from './work.ts'

export const execution = defineSlice({
  name: 'buying/execution',
  about:
    'Carries out approved purchases: asks for the price, holds the money, places the order, captures, and undoes what failed.',
  needs: [
    'accounts/api-keys',
    'accounts/controls',
    'buyers/payment-methods',
    'buyers/profiles',
    'buying/cart-results',
    'buying/evidence',
    'buying/intents',
    'buying/stranger-orders',
    'discovery/registry',
    'discovery/sources',
    'policies',
    'selling/catalog',
    'selling/merchant',
    'selling/pricing',
    'selling/promotions',
    'trade/orders',
    'trade/quotes',
  ],
  tables: ['authorizations', 'effects', 'followed_credentials', 'rail_feeds', 'rail_movements'],
  work: ({ egress, ports }) => {
    const lookAt: LookAtHost = (place, at) => lookAtHost(egress, place, at)
    const means = { ...ports.get(PurchaseMeans), orderOfToken: ports.get(UsedTokens), lookAt }
    const { rails, countMovements = () => undefined } = means
    return [intentWork(means), cartWork(means), refundWork(means), feedWork(rails, countMovements)]
  },
  queues: [{ kind: 'rail_feeds', table: 'rail_feeds', mode: 'mode::text' }],
  sweeps: [sweepMovements],
  followers: [followDecisions],
  invariants: executionInvariants,
  binds: [bind(InFlight, callsInFlight), bind(Charges, chargeOf)],
})
