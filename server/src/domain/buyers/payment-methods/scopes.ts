import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'payment_methods:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'payment_methods:write': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
