import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { Readiness } from '../../selling/merchant/public.ts'
import { readReadiness } from './read-readiness.ts'

/** The readiness of a merchant, from everything that slices know of it. */
export const merchantReadiness = defineSlice({
  name: 'readiness/merchant-readiness',
  about: 'Says what a merchant still lacks before buyers can reach it.',
  needs: [
    'accounts/api-keys',
    'readiness/integration-checks',
    'selling/catalog',
    'selling/merchant',
    'selling/payouts',
    'trade/orders',
    'webhooks/destinations',
  ],
  binds: [bind(Readiness, readReadiness)],
})
