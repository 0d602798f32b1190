import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Mode } from '../../../contract/context.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import type { EgressResponse } from '../../../platform/egress/exchange.ts'
import { EgressFault } from '../../../platform/egress/fault.ts'
import type { DocumentFault } from '../../../protocols/foreign-document.ts'
import type { Evidence, RegistryChannel } from './found-protocol.ts'

/** What a site that an operator has added may take for one answer. */
export const siteTimeoutMs = 5000

/** A look at a site: whatever it serves is read through the egress, within a time and a size. */
export type SiteLook = {
  readonly egress: Egress
  readonly origin: string
  readonly mode: Mode
  readonly channel: RegistryChannel | null
  readonly now: Date
  /** What one answer may take. */
  readonly timeoutMs: number
  /** Endpoints of this machine may be plain http. */
  readonly allowLoopback: boolean
}

/**
 * `document`: JSON was read, whatever it says. `page`: something that is no JSON and does not claim to be, as sites answer where they have
 * nothing. `wrong`: it should be a document and cannot be read.
 */
export type DocumentAnswer =
  | {
      readonly kind: 'document'
      readonly value: unknown
      readonly headers: EgressResponse['headers']
      readonly evidence: Evidence
    }
  | { readonly kind: 'absent' | 'page' | 'wrong' | 'failed'; readonly evidence: Evidence }

/** Reads a document of a stranger. It never throws for anything that the site does. */
export async function readDocument(
  { egress, mode, now, timeoutMs }: SiteLook,
  { url, bytesMax }: { url: string; bytesMax: number },
): Promise<DocumentAnswer> {
  const evidence = { url, at: now.toISOString(), http_status: null, sha256: null, problem: null, faults: [] }
  let answer: EgressResponse
  try {
    answer = await egress.request({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      mode,
      timeoutMs,
      maxResponseBytes: bytesMax,
    })
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    const kind = error.code === 'too_large' ? 'wrong' : 'failed'
    const problem = sentenceOf(error.code, timeoutMs)
    return { kind, evidence: { ...evidence, http_status: error.status ?? null, problem } }
  }
  const { status, headers, body } = answer
  const seen = { ...evidence, http_status: status }
  const without = (kind: 'absent' | 'page' | 'wrong' | 'failed', problem: string): DocumentAnswer => ({
    kind,
    evidence: { ...seen, problem },
  })
  if (status >= 300 && status < 400)
    return without('wrong', `It answers with a redirect (${status}), which nobody follows.`)
  if (status === 404 || status === 410) return without('absent', `There is nothing (${status}).`)
  if (status !== 200) return without('failed', `It answers with status ${status}.`)
  const read = { ...seen, sha256: createHash('sha256').update(body).digest('hex') }
  const value = jsonOf(answer)
  if (value !== undefined) return { kind: 'document', value, headers, evidence: read }
  const isPage = !/json/i.test(String(headers['content-type'] ?? ''))
  const problem = isEncoded(answer) ? 'It is compressed, which was not asked for.' : 'It is not JSON.'
  return { kind: isPage ? 'page' : 'wrong', evidence: { ...read, problem } }
}

function sentenceOf(code: string, timeoutMs: number): string {
  if (code === 'timeout') return `It did not answer within ${timeoutMs / 1000} seconds.`
  return sentences[code] ?? `It could not be read (${code}).`
}

const sentences: Readonly<Record<string, string>> = {
  blocked_address: 'Its address is not a public one.',
  blocked_url: 'Its address cannot be called.',
  dns: 'Its name was not found.',
  connect: 'It does not accept connections.',
  tls: 'Its certificate is not valid.',
  too_large: 'It is too large.',
  reset: 'It closed the connection.',
  protocol: 'Its answer is not HTTP.',
}

function isEncoded({ headers }: EgressResponse): boolean {
  const encoding = headers['content-encoding']
  return encoding !== undefined && encoding !== 'identity'
}

/** Undefined: it is none. */
function jsonOf(answer: EgressResponse): unknown {
  if (isEncoded(answer) || !isUtf8(answer.body)) return undefined
  try {
    return JSON.parse(answer.body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What an answer means where no offer was read from it. */
export function outcomeOf(kind: DocumentAnswer['kind']): 'invalid' | 'absent' | 'failed' {
  if (kind === 'document' || kind === 'wrong') return 'invalid'
  return kind === 'failed' ? 'failed' : 'absent'
}

const faultsKept = 10

/** The first faults of a document, errors first, in a line each. */
export function shortly(faults: readonly DocumentFault[]): string[] {
  const inOrder = [...faults].sort((a, b) => a.severity.localeCompare(b.severity))
  return inOrder
    .slice(0, faultsKept)
    .map(({ path, severity, message }) => `${severity} ${path || '/'}: ${message}`)
}
