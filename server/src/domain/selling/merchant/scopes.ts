import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  'merchant:read': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  'merchant:write': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  // The identity of the merchant: domain, category and country, by which buyers' policies judge it.
  'merchant:identity': { toolsets: ['merchant'], isOfAccount: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
