import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { bundleType } from '../../domain/buying/evidence-bundles/port.ts'
import { type FlattenedJws, type JwsFault, verifyFlattened } from '../../platform/signatures/flattened-jws.ts'
import { keySetPath } from '../../platform/signatures/signing-key.ts'
import { isObject } from '../../schema/schema-node.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { CommandFailure } from '../failure.ts'
import { sharedEnvironment } from '../role-config.ts'
import { money, out, outJson, plain, plainly } from '../terminal.ts'
import { completeId, kinds } from './complete-id.ts'
import { type ApiOptions, asksService, folderHere, productApi } from './product-api.ts'

export function defineEvidence(purchases: Command): void {
  asksService(purchases.command('evidence'))
    .description(
      'Show the signed evidence of a purchase, for a bank whose customer disputes a charge, or write it to a file.',
    )
    .argument('<purchase>', 'its id, or a beginning or end that no other has')
    .option('--out <file>', 'write it to this file')
    .action(evidence)
  purchases
    .command('verify-evidence')
    .description('Show whether evidence is what the service has signed, word for word.')
    .argument('<file>', 'the evidence, as the service answers it')
    .option(
      '--keys <where>',
      'the key set, as an address or a file (default: that of the service in this folder)',
    )
    .option('--json', 'print one line of JSON, with what was signed')
    .option('--state <dir>', 'the state folder of the service', folderHere())
    .action(verifyEvidence)
}

async function evidence(
  given: string,
  { out: file, ...options }: ApiOptions & { out?: string },
): Promise<void> {
  const id = await completeId(productApi(options), kinds.purchase, given)
  // As it was answered: nothing in it is for a terminal.
  const bundle = await productApi({ ...options, json: true }).get(
    `/v1/purchase_intents/${id}/evidence_bundle`,
  )
  if (file === undefined) return outJson(bundle)
  await writeFile(file, `${JSON.stringify(bundle)}\n`, { mode: 0o600 })
  if (options.json) return outJson({ purchase_intent_id: id, file })
  out(`The evidence of ${id} is in ${file}. It names the person and the address: send it to nobody else.`)
}

type Verifying = { keys?: string; json?: boolean; state: string }

async function verifyEvidence(file: string, { keys, json, state }: Verifying): Promise<void> {
  const bundle = signedIn(file, documentIn(file, await bytesOf(file)))
  const where = keys ?? keySetOf(state)
  const verified = verifyFlattened(bundle.jws, await readKeys(where), bundleType)
  if (!verified.ok) throw new CommandFailure(wrong(verified.fault, { file, where, kid: verified.kid }))
  const said = documentIn(file, verified.payload)
  const { purchase, made_at, made_by } = said
  const { id, status, mode, actual_amount, currency_code } = isObject(purchase) ? purchase : {}
  // What stands beside the signed part is no part of it.
  if (bundle.purchaseIntentId !== id || bundle.mode !== mode)
    throw new CommandFailure(`${file} names another purchase beside the signature than in what was signed.`)
  if (json) return outJson({ verified: true, kid: verified.kid, keys: where, evidence: said })
  const by = isObject(made_by) ? made_by.address : null
  out(`Nothing of it was changed: the key ${plain(verified.kid)} of ${where} has signed it.`)
  const charged = money(Number(actual_amount), String(currency_code))
  out(plainly(`${id}: ${status}, ${charged} charged, ${mode} mode. Made by ${by} at ${made_at}.`))
}

async function bytesOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${file} cannot be read (${error.code}).`)
  })
}

function documentIn(where: string, bytes: Uint8Array): Record<string, unknown> {
  const read = parseJson(bytes)
  if (read.ok && isObject(read.value)) return read.value
  throw new CommandFailure(`${where} is no object of JSON${read.ok ? '' : `: ${read.error.msg}`}.`)
}

type Signed = { readonly jws: FlattenedJws; readonly purchaseIntentId: unknown; readonly mode: unknown }

function signedIn(file: string, document: Record<string, unknown>): Signed {
  const { payload, protected: header, signature, purchase_intent_id: purchaseIntentId, mode } = document
  if (typeof payload !== 'string' || typeof header !== 'string' || typeof signature !== 'string')
    throw new CommandFailure(
      `${file} is no evidence of a purchase: it has no payload, protected and signature.`,
    )
  return { jws: { payload, protected: header, signature }, purchaseIntentId, mode }
}

function keySetOf(state: string): string {
  const base = publicUrlOf(state)
  if (base) return `${base}${keySetPath}`
  throw new CommandFailure(
    `No service has been started in ${state}. Name its key set with --keys: an address that ends in ${keySetPath}, or a file.`,
  )
}

/** Evidence is mostly verified where no service runs. */
function publicUrlOf(state: string): string | undefined {
  try {
    return sharedEnvironment(state).PROKURA_PUBLIC_URL
  } catch (error) {
    if (error instanceof CommandFailure) return undefined
    throw error
  }
}

async function readKeys(where: string): Promise<Record<string, unknown>[]> {
  const url = /^https?:/i.test(where) ? URL.parse(where) : null
  const { keys } = documentIn(where, url === null ? await bytesOf(where) : await fetchKeys(url))
  if (!Array.isArray(keys)) throw new CommandFailure(`${where} is no key set: it has no list of keys.`)
  return keys.filter(isObject)
}

const keysTimeoutMs = 10_000

async function fetchKeys(url: URL): Promise<Uint8Array> {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !isHere)
    throw new CommandFailure(
      `Keys that come over http prove nothing: name ${url.host} with https, or a file.`,
    )
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(keysTimeoutMs) }).catch(
    () => null,
  )
  if (answer?.ok) return new Uint8Array(await answer.arrayBuffer())
  throw new CommandFailure(
    answer === null ? `Nothing answers at ${url}.` : `${url} answers ${answer.status}, and no key set.`,
  )
}

type Wrong = { readonly file: string; readonly where: string; readonly kid: string | null }

function wrong(fault: JwsFault, { file, where, kid }: Wrong): string {
  switch (fault) {
    case 'malformed':
      return `${file} is no evidence of a purchase: its signature has another form.`
    case 'wrong_type':
      return `${file} is signed, but it is no evidence of a purchase.`
    case 'unknown_key':
      return `${where} has no key ${plain(`${kid}`)}: another service has signed ${file}, or the key was taken away because others know it.`
    case 'wrong_signature':
      return `${file} is not what was signed: something of it was changed, or somebody else has signed it.`
    default:
      return fault satisfies never
  }
}
