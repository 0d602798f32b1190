import type { CallContext, ShownTerms } from './context.ts'

/** For an operation that a person confirms as they have asked for it: they are shown the request itself. */
export function confirmRequest(what: string) {
  return async (
    _ctx: CallContext,
    { path, body }: { readonly path: unknown; readonly body: unknown },
  ): Promise<ShownTerms> => ({ what, ...(path as object), ...(body as object) }) // both are closed objects, or absent
}
