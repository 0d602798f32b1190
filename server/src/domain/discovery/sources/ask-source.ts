import type { Mode } from '../../../contract/context.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import { EgressFault } from '../../../platform/egress/fault.ts'
import type { Secret } from '../../../platform/secrets/secret.ts'
import {
  type CatalogEndpoint,
  type CatalogQuestion,
  catalogRequest,
} from '../../../protocols/ucp/ask-catalog.ts'
import { type AnswerFault, readCatalogAnswer } from '../../../protocols/ucp/read-catalog-answer.ts'

/** What one source gets, in time and in size. */
const sourceTimeoutMs = 3_000
const sourceBytesMax = 1_048_576
/** What a call gets that asks sources, all of them at the same time. */
export const sourcesBudgetMs = sourceTimeoutMs + 500

/** A catalog, and how this process reaches it. */
export type Reached = CatalogEndpoint & {
  readonly token: Secret | null
  /** Whether its address is of our own configuration. */
  readonly isPeer: boolean
}

export type AskMeans = {
  readonly egress: Egress
  readonly publicUrl: string
  readonly newRequestId: () => string
}

type SourceFault = AnswerFault | 'timeout' | 'too_large' | 'blocked' | 'unreachable'

type CatalogReply = { readonly payload: Readonly<Record<string, unknown>> } | { readonly fault: SourceFault }

/** One question to one source. It never throws where the source, or the way to it, fails. */
export async function askSource(
  to: Reached,
  mode: Mode,
  question: CatalogQuestion,
  { egress, publicUrl, newRequestId }: AskMeans,
): Promise<CatalogReply> {
  const request = catalogRequest(to, question, { publicUrl, requestId: newRequestId() })
  try {
    const { status, headers, body } = await egress.request({
      url: request.url,
      method: 'POST',
      headers: {
        ...request.headers,
        ...(to.token ? { authorization: `Bearer ${to.token.reveal()}` } : {}),
      },
      body: request.body,
      mode,
      timeoutMs: sourceTimeoutMs,
      maxResponseBytes: sourceBytesMax,
      ...(to.isPeer ? { peer: true } : {}),
    })
    return readCatalogAnswer(to.transport, {
      status,
      contentType: String(headers['content-type'] ?? ''),
      body,
    })
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return { fault: faultOf(error) }
  }
}

function faultOf({ code }: EgressFault): SourceFault {
  switch (code) {
    case 'timeout':
    case 'too_large':
      return code
    case 'blocked_address':
    case 'blocked_url':
    case 'untrusted_peer':
      return 'blocked'
    default:
      return 'unreachable'
  }
}
