import type { Mode } from '../../../contract/context.ts'
import type { PageEvidence } from '../evidence/public.ts'

/**
 * The bounds of one outbound call. It ends inside the lease of the worker that makes it, which is renewed while a long call runs. `signal`
 * ends a long call whose lease is lost. `onEvidence` takes pictures of the pages that something is bought on, and never fails; who awaits
 * it hands over no faster than pictures are written.
 */
export type Call = {
  readonly mode: Mode
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  onEvidence?(evidence: PageEvidence): void | Promise<void>
}
