import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { OperatedEntry } from './operated-entry.ts'

const entryEvent = defineEvent<OperatedEntry>()

/** The events of this slice. */
export const registryEvents = {
  'registry_entry.added': entryEvent({ summary: 'An operator added a site to the registry.' }),
  'registry_entry.changed': entryEvent({
    summary: 'A look at a site found something else than the last one.',
  }),
  'registry_entry.removed': entryEvent({ summary: 'An operator removed a site from the registry.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof registryEvents> {}
}
