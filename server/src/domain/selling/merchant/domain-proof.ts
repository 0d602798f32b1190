import type { Mode } from '../../../contract/context.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import { EgressFault } from '../../../platform/egress/fault.ts'
import type { ResolveText } from '../../../platform/egress/resolve-text.ts'

export type ProofDeps = {
  egress: Egress
  resolveText: ResolveText
  /** The URL of a domain's file; tests have it on a port of loopback. */
  fileUrlOf?: (domain: string) => string
}

/** `isFound`: somebody who controls the domain has published the token. `detail`: where, or why not, for a person. */
export type Proof = { isFound: boolean; detail: string }

const fileTimeoutMs = 5_000
const fileBytesMax = 4_096

/** The text that a merchant publishes to prove that a domain is its own. */
export function proofText(token: string): string {
  return `prokura-verification=${token}`
}

function proofFileUrl(domain: string): string {
  return `https://${domain}/.well-known/prokura-verification.txt`
}

/** Looks in both places at once; one is enough. It never throws for anything that the domain does. */
export async function findProof(
  deps: ProofDeps,
  { domain, token, mode }: { domain: string; token: string; mode: Mode },
): Promise<Proof> {
  const text = proofText(token)
  const [dns, file] = await Promise.all([
    lookInDns(deps, domain, text),
    lookInFile(deps, { domain, mode, text }),
  ])
  if (dns === null) return { isFound: true, detail: 'The DNS TXT record was found.' }
  if (file === null) return { isFound: true, detail: 'The file was found.' }
  return { isFound: false, detail: `DNS: ${dns}. File: ${file}.` }
}

/** Null when it was found, otherwise why not. */
async function lookInDns({ resolveText }: ProofDeps, domain: string, text: string): Promise<string | null> {
  try {
    const records = await resolveText(domain)
    if (records.length === 0) return 'no TXT record'
    return records.some((record) => record.trim() === text) ? null : 'no TXT record holds the proof'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return code === 'ENODATA' || code === 'ENOTFOUND' ? 'no TXT record' : `no answer (${code})`
  }
}

async function lookInFile(
  { egress, fileUrlOf = proofFileUrl }: ProofDeps,
  { domain, mode, text }: { domain: string; mode: Mode; text: string },
): Promise<string | null> {
  try {
    const { status, body } = await egress.request({
      url: fileUrlOf(domain),
      method: 'GET',
      headers: { accept: 'text/plain' },
      mode,
      timeoutMs: fileTimeoutMs,
      maxResponseBytes: fileBytesMax,
    })
    if (status >= 300 && status < 400) return `HTTP ${status}, and redirects are not followed`
    if (status !== 200) return `HTTP ${status}`
    const lines = body.toString('utf8').split('\n')
    return lines.some((line) => line.trim() === text) ? null : 'no line of it is the proof'
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return `it could not be read (${error.code})`
  }
}
