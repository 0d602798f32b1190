import { isObject } from '../fields.ts'
import { postJson } from '../http-client.ts'

export type ChargeOutcome =
  | { kind: 'charged'; transactionId: string }
  | { kind: 'declined'; code: string }
  /** The key was closed before the charge arrived: it can never land. */
  | { kind: 'closed' }
  | { kind: 'unknown' }

type Charge = {
  key: string
  credential: string
  amount: number
  currency: string
  merchant: string
  reference: string
}

const TIMEOUT_MS = 10_000

/** Safe to repeat: the key makes it the same charge. */
export async function chargeCredential(processorUrl: string, charge: Charge): Promise<ChargeOutcome> {
  const { key, credential, ...body } = charge
  const answer = await post(
    `${processorUrl}/v1/credentials/${encodeURIComponent(credential)}/charges`,
    body,
    key,
  )
  return answer === undefined ? { kind: 'unknown' } : outcomeOf(answer.status, answer.body)
}

/** After this the charge either has happened or never will. */
export async function closeCharge(processorUrl: string, key: string): Promise<ChargeOutcome> {
  const answer = await post(`${processorUrl}/v1/operations/close`, { key }, `close:${key}`)
  if (answer?.status !== 200 || !isObject(answer.body)) return { kind: 'unknown' }
  const { status, answer: recorded } = answer.body
  return typeof status === 'number' ? outcomeOf(status, recorded) : { kind: 'closed' }
}

function outcomeOf(status: number, body: unknown): ChargeOutcome {
  if (!isObject(body)) return { kind: 'unknown' }
  if (status === 201 && typeof body.id === 'string') return { kind: 'charged', transactionId: body.id }
  if (turnedAway.has(status)) return { kind: 'unknown' }
  const error = isObject(body.error) ? body.error : {}
  const code = error.decline_code ?? error.code
  if (status >= 500 || typeof code !== 'string') return { kind: 'unknown' }
  return code === 'closed' ? { kind: 'closed' } : { kind: 'declined', code }
}

/** Says nothing about the card: the same charge is sent again. */
const turnedAway = new Set([401, 403, 408, 425, 429])

async function post(
  url: string,
  body: object,
  key: string,
): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const { status, text } = await postJson({
      url,
      body: JSON.stringify(body),
      headers: { 'idempotency-key': key },
      timeoutMs: TIMEOUT_MS,
    })
    return { status, body: JSON.parse(text) }
  } catch {
    // No answer, or half of one: whether the charge landed is unknown until the same key is asked again.
    return undefined
  }
}
