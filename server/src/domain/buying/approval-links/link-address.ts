import type { Mode, Sealer, Settings } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'

/**
 * The token of a link follows from its id, under our key: so it is kept nowhere, and can be said again to whoever may make links. A reader of
 * the table finds none.
 */
export function linkToken(
  { hashToken }: Pick<Sealer, 'hashToken'>,
  { id, mode }: { id: Id<'link'>; mode: Mode },
): string {
  return newToken(`pr_al_${mode}_`, (length) => hashToken(`approval link ${id}`).subarray(0, length))
}

/** In the fragment, which browsers keep to themselves. */
export function linkAddress({ url }: NonNullable<Settings['elements']>, shown: string): string {
  return `${url}/elements/v1/approve#${shown}`
}
