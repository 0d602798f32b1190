import type {
  Call,
  HoldAnswer,
  RailCredential,
  RailMemory,
  RailObject,
} from '../../domain/buying/rails/port.ts'
import type { PeerAnswer } from '../../platform/egress/peer-json.ts'
import type { VaultClient } from '../../platform/vault-client/vault-client.ts'
import type { Forwarded } from '../../platform/vault-client/vault-words.ts'
import type { JsonValue } from '../../schema/strict-json.ts'
import { within } from './close-key.ts'
import { answerOf } from './processor-answers.ts'
import { issueCall } from './processor-calls.ts'

/** Where the processor's answer says what makes a card usable. */
const numberPointers = {
  number: '/number',
  expMonth: '/exp_month',
  expYear: '/exp_year',
  securityCode: '/security_code',
  holder: null,
}

/** The terms of a card, whose number goes into the vault. */
type CardTerms = RailCredential & { readonly vaultOf: NonNullable<RailCredential['vaultOf']> }

export function isCard(input: RailCredential): input is CardTerms {
  return input.vaultOf !== undefined
}

/**
 * Issues a card and has the vault fetch its number: this process sees the reference, and of the number nothing. Both calls can be made
 * again: the processor knows the key, and the vault knows the number.
 */
export async function issueCard(
  { url, vault }: { url: string; vault: VaultClient },
  input: CardTerms,
  call: Call,
): Promise<HoldAnswer> {
  const next = within(call)
  const { path, key, body } = issueCall(input)
  const made = await vault.forward({
    tenant: { accountId: input.vaultOf, mode: call.mode },
    method: 'POST',
    url: baseOf(url) + path,
    headers: { 'idempotency-key': key },
    body: body as JsonValue, // texts, numbers and objects of them
    timeoutMs: next().timeoutMs,
    seal: null,
  })
  const issued = answerOf(peerAnswerOf(made))
  return issued.kind === 'done' ? await fetchNumber({ url, vault }, input, issued.value, next()) : issued
}

/** The vault fetches the number of a card that exists. It can do so again: it knows the number then. */
export async function fetchNumber(
  { url, vault }: { url: string; vault: VaultClient },
  input: CardTerms,
  issued: RailObject,
  call: Call,
): Promise<Extract<RailMemory, { kind: 'done' | 'unknown' }>> {
  const { path } = issueCall(input)
  const told = await vault.forward({
    tenant: { accountId: input.vaultOf, mode: call.mode },
    method: 'GET',
    url: `${baseOf(url)}${path}/${encodeURIComponent(issued.reference)}/number`,
    headers: {},
    body: null,
    timeoutMs: call.timeoutMs,
    seal: { ...numberPointers, keepUntil: input.expiresAt },
  })
  // The card exists, and the same call finds it again.
  if (told.kind !== 'answer' || told.record === null) return { kind: 'unknown' }
  return { kind: 'done', value: { ...issued, record: told.record.id } }
}

function baseOf(url: string): string {
  return url.replace(/\/+$/, '')
}

/** A call that the vault does not make is a mistake of ours, and did nothing. */
function peerAnswerOf(made: Forwarded): PeerAnswer {
  return made.kind === 'refused' ? { kind: 'not_sent', retryable: false } : made
}
