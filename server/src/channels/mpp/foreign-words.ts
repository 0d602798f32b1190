import { isRecord } from '../../platform/egress/peer-json.ts'
import { parseRetryAfter } from '../../platform/egress/retry-after.ts'
import { cleanText } from '../../protocols/foreign-document.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { headerOf, type SiteAnswer } from './send-request.ts'

type Answered = Extract<SiteAnswer, { kind: 'answer' }>

/** What a stranger gives as its reason: text for a person, which nobody follows. */
type Reason = { readonly code: string | null; readonly message: string | null }

const problemBytesMax = 65_536

/** The reason in a problem by RFC 9457, or in a body like one. */
export function reasonOf({ body }: Answered): Reason {
  const parsed = body.length > problemBytesMax ? null : parseJson(body)
  const problem = parsed?.ok && isRecord(parsed.value) ? parsed.value : {}
  const code = cleanText(problem.code, 100) ?? lastPart(cleanText(problem.type, 500))
  return { code, message: cleanText(problem.detail, 500) ?? cleanText(problem.message, 500) }
}

function lastPart(type: string | null): string | null {
  return type?.split(/[/:]/).at(-1)?.replaceAll('-', '_') ?? null
}

export function retryAfterOf(answer: Answered, now: Date): number | null {
  return parseRetryAfter(headerOf(answer, 'retry-after'), now.getTime())
}
