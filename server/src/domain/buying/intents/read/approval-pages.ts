import type { CallContext } from '../../../../contract/context.ts'
import { definePort } from '../../../../contract/port.ts'
import type { LoadedIntent } from '../intent.ts'

/** Whoever makes links to pages on which people approve knows where a purchase has one. */
export interface ApprovalPages {
  /** Null: no link was made for what the person is asked now, or it is over. */
  addressOf(ctx: CallContext, intent: LoadedIntent['intent']): Promise<string | null>
}

export const ApprovalPages = definePort<ApprovalPages>('approval pages')
