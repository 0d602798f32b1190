import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'profiles:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'profiles:write': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
