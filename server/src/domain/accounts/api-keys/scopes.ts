import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'keys:write': { toolsets: ['admin'] },
  // Of what is still to come, so that keys that are made today have them by then.
  'chats:read': { presets: ['buyer_agent'], toolsets: ['buyer'], isReserved: true },
  'chats:write': { presets: ['buyer_agent'], toolsets: ['buyer'], isReserved: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
