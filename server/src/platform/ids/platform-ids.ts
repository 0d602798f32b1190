import { defineIds } from '../../contract/ids.ts'

/** What every call knows: whose it is, by which key, and who acts. And what the interface has that no slice makes yet. */
export const platformIds = defineIds({
  acct: { names: 'an account' },
  key: { names: 'an API key' },
  agent: { names: 'an agent' },
  evt: { names: 'an event' },
  req: { names: 'a request' },
  reg: { names: 'an entry of the registry', isOpen: true, isReserved: true },
  chat: { names: 'a chat', isReserved: true },
  msg: { names: 'a message of a chat', isReserved: true },
  ticket: { names: 'a ticket of the merchant sign-in component', isReserved: true },
})

declare module '../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof platformIds, string> {}
}
