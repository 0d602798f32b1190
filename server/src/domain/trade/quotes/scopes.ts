import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'quotes:read': { presets: ['merchant_backend', 'buyer_agent'], toolsets: ['buyer'] },
  'quotes:write': { presets: ['buyer_agent'], toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
