import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'event_destinations:read': { toolsets: ['admin'], isOfAccount: true },
  'event_destinations:write': { toolsets: ['admin'], isOfAccount: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
