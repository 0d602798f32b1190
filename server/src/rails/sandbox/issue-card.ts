import type { Call, CardAnswer, RailCard } from '../../domain/buying/execution/port.ts'
import type { PeerAnswer } from '../../platform/egress/peer-json.ts'
import type { VaultClient } from '../../platform/vault-client/vault-client.ts'
import type { Forwarded } from '../../platform/vault-client/vault-words.ts'
import type { JsonValue } from '../../schema/strict-json.ts'
import { within } from './close-key.ts'
import { answerWith } from './processor-answers.ts'
import { issueCardCall } from './processor-calls.ts'

/** Where the processor's answer says what makes a card usable. */
const numberPointers = {
  number: '/number',
  expMonth: '/exp_month',
  expYear: '/exp_year',
  securityCode: '/security_code',
  holder: null,
}

/**
 * Issues a number and has the vault fetch it: this process sees the reference, and of the number the last four digits. Both calls can be
 * made again: the processor knows the key, and the vault knows the number.
 */
export async function issueCard(
  { url, vault }: { url: string; vault: VaultClient },
  input: RailCard,
  call: Call,
): Promise<CardAnswer> {
  const next = within(call)
  const base = url.replace(/\/+$/, '')
  const tenant = { accountId: input.accountId, mode: call.mode }
  const { path, key, body } = issueCardCall(input)
  const issue = { method: 'POST', url: base + path, headers: { 'idempotency-key': key } } as const
  const made = await vault.forward({
    tenant,
    ...issue,
    body: body as JsonValue, // texts, numbers and objects of them
    timeoutMs: next().timeoutMs,
    seal: null,
  })
  const issued = answerWith(peerAnswerOf(made), referenceOf)
  if (issued.kind !== 'done') return issued
  const reference = issued.value
  const told = await vault.forward({
    tenant,
    method: 'GET',
    url: `${base}${path}/${encodeURIComponent(reference)}/number`,
    headers: {},
    body: null,
    timeoutMs: next().timeoutMs,
    seal: { ...numberPointers, keepUntil: input.expiresAt },
  })
  // The card exists, and the same call finds it again.
  if (told.kind !== 'answer' || told.record === null) return { kind: 'unknown' }
  const { id: record, ...shown } = told.record
  return { kind: 'done', value: { reference, record, ...shown } }
}

function referenceOf(body: Readonly<Record<string, unknown>>): string | null {
  return body.object === 'virtual_card' && body.status !== 'declined' && typeof body.id === 'string'
    ? body.id
    : null
}

/** A call that the vault does not make is a mistake of ours, and did nothing. */
function peerAnswerOf(made: Forwarded): PeerAnswer {
  return made.kind === 'refused' ? { kind: 'not_sent', retryable: false } : made
}
