import type { EventDraft, Tenant } from '../../src/contract/context.ts'

/** An event of a type that no slice has, or with another object than its type's. The spine carries events without reading them. */
export type AnyDraft = Omit<EventDraft, 'type' | 'object' | 'recipient'> & {
  readonly type: string
  readonly object: object
  readonly recipient?: { readonly accountId: Tenant['accountId']; readonly data: object }
}

export function draftOf(draft: AnyDraft): EventDraft {
  return draft as unknown as EventDraft // the types are those of the slices, and a test plays a slice
}
