import type { Fields } from '../../fields.ts'
import type { Agreed } from './checkout-document.ts'
import type { Message } from './checkout-state.ts'
import type { Face } from './face.ts'
import type { Platform } from './platforms.ts'
import { firstRelease, type Release } from './releases.ts'
import type { Story } from './stories.ts'

/** A call of a platform, once it is known who calls and what both can do. */
export type Call = {
  face: Face
  platform: Platform
  agreed: Agreed
  /** Of the checkout or order that it is about. */
  id: string | null
  body: Fields
}

/** What is answered. `ends`: what becomes of the answer on its way. */
export type Answer = {
  status: number
  body: object
  /** Of what is bought, where that is known. */
  story?: Story
  checkoutId?: string
  ends?: 'broken' | 'garbage' | 'late'
}

/** A call that is turned away before anything is looked at. */
export class TurnedAway extends Error {
  readonly status: number
  readonly rpc: number
  readonly code: string
  /** In how many seconds trying again may help. */
  readonly retryAfter: number | undefined

  constructor(
    code: string,
    message: string,
    { status, rpc, retryAfter }: { status: number; rpc: number; retryAfter?: number },
  ) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
    this.status = status
    this.rpc = rpc
  }
}

/** Nothing was made or changed. The first release has statuses of HTTP for that. */
export function refusal(
  { release }: { release: Release },
  code: string,
  content: string,
  status = 400,
): Answer {
  if (release === firstRelease) return { status, body: { detail: content } }
  const message: Message = { type: 'error', code, content, severity: 'unrecoverable' }
  return { status: 200, body: { ucp: { version: release, status: 'error' }, messages: [message] } }
}
