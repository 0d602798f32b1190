import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'

/** What keys may be allowed here. */
export const scopes = defineScopes({
  // Pictures show what a page shows of a person: neither agents nor keys that only read have it.
  'evidence:read': { toolsets: ['buyer'], isWithheld: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}
