import { defineIds } from '../../contract/ids.ts'

/** What every call knows: whose it is, by which key, and who acts. */
export const platformIds = defineIds({
  // Merchants are accounts, and everybody may name a merchant.
  acct: { names: 'an account', isOpen: true },
  key: { names: 'an API key' },
  agent: { names: 'an agent' },
  evt: { names: 'an event' },
  req: { names: 'a request' },
  chat: { names: 'a chat' },
})

declare module '../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof platformIds, string> {}
}
