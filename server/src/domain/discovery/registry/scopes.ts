import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'registry:read': {
    presets: ['merchant_backend', 'discovery', 'buyer_agent'],
    toolsets: ['buyer', 'discovery'],
  },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
