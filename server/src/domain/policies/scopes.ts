import { defineScopes, type ScopeFacts } from '../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'policies:read': { presets: ['buyer_agent'], toolsets: ['buyer', 'admin'] },
  'policies:write': { toolsets: ['admin'] },
})

declare module '../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
