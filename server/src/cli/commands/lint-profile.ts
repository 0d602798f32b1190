import { type Command, Option } from 'commander'
import { createEgress, type Egress } from '../../platform/egress/egress.ts'
import type { EgressResponse } from '../../platform/egress/exchange.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import { type DocumentFault, isObject, member } from '../../protocols/foreign-document.ts'
import { readManifest } from '../../protocols/mpp/manifest.ts'
import { readPaidOpenApi } from '../../protocols/mpp/paid-openapi.ts'
import { type ProfileReading, readProfile } from '../../protocols/ucp/profile.ts'
import type { ProfileRole } from '../../protocols/ucp/profile-entries.ts'
import { hostingFaults } from '../../protocols/ucp/profile-hosting.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { CommandFailure } from '../failure.ts'
import { out, outJson, styled } from '../terminal.ts'

const readTimeoutMs = 10_000
/** The most that readers of each kind of document take. */
const profileBytesMax = 131_072
const mppBytesMax = 65_536

type Options = { role: ProfileRole; json?: boolean }
type Finding = DocumentFault & { readonly url: string }
type Kind = 'ucp_profile' | 'mpp_manifest' | 'mpp_openapi' | 'unknown'

export function defineLintProfile(command: Command): void {
  command
    .argument(
      '<url>',
      'its https address; of an origin alone, the UCP profile is checked. This machine may serve it over http',
    )
    .addOption(
      new Option('--role <role>', 'the side that publishes a UCP profile: it sells or it buys')
        .choices(['business', 'platform'])
        .default('business'),
    )
    .option('--json', 'print one line of JSON')
    .action(lintProfile)
}

async function lintProfile(given: string, options: Options): Promise<void> {
  const url = addressOf(given)
  // The operator names the address on purpose, so this machine may be meant; other private addresses are refused as everywhere.
  const egress = createEgress({ allowLoopback: () => true, trustedOrigins: [] })
  const { kind, findings } = await check(egress, url, options).finally(() => egress.close())
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (errors > 0) process.exitCode = 1
  if (options.json)
    return outJson({ object: 'profile_check', url, kind, valid: errors === 0, faults: findings })
  for (const { url: where, path, severity, message, fix } of findings) {
    out(
      `${styled(severity === 'error' ? 'red' : 'yellow', severity)} ${where === url ? '' : `${where} `}${path || '/'}`,
    )
    out(`  ${message} ${fix}`)
  }
  const warnings = findings.length - errors
  out(`${url}: ${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}.`)
}

function addressOf(given: string): string {
  const url = URL.parse(/^https?:\/\//i.test(given) ? given : `https://${given}`)
  if (url === null) throw new CommandFailure(`${given} is not an address.`)
  return url.pathname === '/' && url.search === '' ? new URL('/.well-known/ucp', url).href : url.href
}

type Checked = { kind: Kind; findings: Finding[] }

async function check(egress: Egress, url: string, { role }: Options): Promise<Checked> {
  const read = await readAt(egress, url)
  if (!('document' in read)) return { kind: 'unknown', findings: read.findings }
  const { document, answer, findings } = read
  const { origin, pathname } = new URL(url)
  const isLarge = (max: number) => (answer.body.length > max ? [tooLarge(url, max)] : [])
  const at = (faults: readonly DocumentFault[]): Finding[] => faults.map((fault) => ({ ...fault, url }))
  if (isObject(document) && member(document, 'openapi') !== undefined) {
    const { offer, faults } = readPaidOpenApi(document, { origin })
    const unpaid = offer === null && faults.length === 0 ? at([nothingPaid]) : []
    return { kind: 'mpp_openapi', findings: [...findings, ...isLarge(mppBytesMax), ...at(faults), ...unpaid] }
  }
  if (pathname.endsWith('mpp.json')) {
    const { faults } = readManifest(document, { origin })
    return { kind: 'mpp_manifest', findings: [...findings, ...isLarge(mppBytesMax), ...at(faults)] }
  }
  const reading = readProfile(document, { role, allowLoopback: isLocal(url) })
  const own = [
    ...findings,
    ...isLarge(profileBytesMax),
    ...at(reading.faults),
    ...at(hostingFaults(answer.headers)),
  ]
  return { kind: 'ucp_profile', findings: [...own, ...(await checkOlder(egress, reading, url))] }
}

/** The profiles of older releases that a profile links to. */
async function checkOlder(egress: Egress, { profile }: ProfileReading, of: string): Promise<Finding[]> {
  const found = await Promise.all(
    (profile?.supportedVersions ?? []).map(async ({ version, url }): Promise<Finding[]> => {
      const read = await readAt(egress, url)
      if (!('document' in read)) return read.findings
      const options = { role: 'business', leafOf: version, allowLoopback: isLocal(of) } as const
      const { faults } = readProfile(read.document, options)
      return [
        ...read.findings,
        ...[...faults, ...hostingFaults(read.answer.headers)].map((fault) => ({ ...fault, url })),
      ]
    }),
  )
  return found.flat()
}

function isLocal(url: string): boolean {
  return new URL(url).protocol === 'http:'
}

const nothingPaid: DocumentFault = {
  path: '/paths',
  severity: 'error',
  message: 'No operation is paid.',
  fix: 'Add x-payment-info to each operation that is paid over MPP.',
}

function tooLarge(url: string, max: number): Finding {
  return {
    url,
    path: '',
    severity: 'error',
    message: `The document is larger than the ${max / 1024} KiB that every reader takes.`,
    fix: 'Make it smaller.',
  }
}

type Read = { findings: Finding[] } | { findings: Finding[]; document: unknown; answer: EgressResponse }

async function readAt(egress: Egress, url: string): Promise<Read> {
  const error = (message: string, fix: string): Read => ({
    findings: [{ url, path: '', severity: 'error', message, fix }],
  })
  const read = await answerOf(egress, url)
  if (typeof read === 'string')
    return error(
      `It could not be read (${read}).`,
      'Serve it at a public https address that answers within ten seconds.',
    )
  const { status, headers, body } = read
  if (status >= 300 && status < 400)
    return error(
      `It answers with a redirect (${status}).`,
      'Serve the document at this address itself: readers follow no redirect.',
    )
  if (status !== 200) return error(`It answers with status ${status}.`, 'Answer with 200 and the document.')
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    return error(
      'It is compressed, which was not asked for.',
      'Compress only where Accept-Encoding allows it.',
    )
  const strict = parseJson(body)
  if (strict.ok) return { findings: [], document: strict.value, answer: read }
  try {
    const document: unknown = JSON.parse(body.toString('utf8'))
    const warning = {
      url,
      path: '',
      severity: 'warning',
      message: `Strict readers refuse it: ${strict.error.msg}.`,
      fix: 'Write JSON that has one meaning.',
    } as const
    return { findings: [warning], document, answer: read }
  } catch {
    return error(`It is not JSON: ${strict.error.msg}.`, 'Serve a JSON document.')
  }
}

/** The answer, or a word for why there is none. */
async function answerOf(egress: Egress, url: string): Promise<EgressResponse | string> {
  try {
    return await egress.request({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      mode: 'live',
      timeoutMs: readTimeoutMs,
      maxResponseBytes: profileBytesMax * 4,
    })
  } catch (error) {
    if (error instanceof EgressFault) return error.code
    throw error
  }
}
