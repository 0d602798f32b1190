import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'orders:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'orders:write': { toolsets: ['buyer'] },
  'merchant_orders:read': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  'merchant_orders:respond': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
