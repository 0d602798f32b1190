import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'purchase_intents:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'purchase_intents:write': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  // No agent has it: it releases money that no policy has allowed.
  'purchase_intents:approve': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
