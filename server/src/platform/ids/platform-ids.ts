import { defineIds } from '../../contract/ids.ts'

/** What ids of the platform itself name, and of what the interface has that no slice makes yet. */
export const platformIds = defineIds({
  evt: { names: 'an event' },
  req: { names: 'a request' },
  reg: { names: 'an entry of the registry', isOpen: true },
  chat: { names: 'a chat' },
  msg: { names: 'a message of a chat' },
  ticket: { names: 'a ticket of the merchant sign-in component' },
})

declare module '../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof platformIds, string> {}
}
