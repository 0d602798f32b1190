import { defineIds } from '../../../contract/ids.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { profileEvents } from './events.ts'
import { profileOperations } from './operations.ts'
import { problems } from './problems.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  prof: { names: 'a profile' },
  addr: { names: 'an address of a profile', isOpen: true },
})

declare module '../../../contract/ids.ts' {
  interface ProfilePrefixes extends Record<'prof', string> {}
}

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'profiles:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'profiles:write': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const profiles = defineSlice({
  name: 'buyers/profiles',
  about: 'Keeps the people and companies that are bought for, with their addresses.',
  needs: [],
  tables: ['profiles'],
  ids,
  scopes,
  problems,
  tags: {
    Profiles: 'The people and businesses you buy for: who is billed and where goods are shipped.',
  },
  events: profileEvents,
  operations: profileOperations,
})
