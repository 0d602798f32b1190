import { createHash } from 'node:crypto'
import { BadRequest, type Fields, isObject } from '../../fields.ts'
import { entryOf } from '../shop/memory.ts'
import { type Answer, type Call, TurnedAway } from './call.ts'
import type { Face } from './face.ts'
import type { Operation } from './operations.ts'
import { isReachable, type Platform } from './platforms.ts'
import { capabilitiesAt, firstRelease, type Release } from './releases.ts'
import { checkSignature, type Message } from './signature.ts'
import type { UcpShop } from './ucp-shop.ts'

/** A call as it came in, over one transport or the other. */
type Incoming = {
  face: Face
  release: Release
  transport: 'rest' | 'mcp'
  operation: Operation
  agentUrl: string | null
  key: string | null
  id: string | null
  body: Fields
  message: Message
}

/** The answer to a call, or why it was turned away. Each is testified. */
export async function answerCall(shop: UcpShop, incoming: Incoming): Promise<Answer> {
  const { operation, agentUrl, id, key } = incoming
  let signed: boolean | 'invalid' = false
  const testify = (result: string, checkoutId = id) => {
    const cart = shop.desk.memory.carts.get(checkoutId ?? '')
    const entry = entryOf('call', `${operation.tool} ${result}`, cart === undefined ? {} : { cart })
    const testimony = {
      ...entry,
      cart: checkoutId,
      agent: agentUrl ?? '',
      signed,
      ...(key === null ? {} : { key }),
    }
    shop.desk.memory.commit({ kind: 'entry', entry: testimony })
  }
  try {
    const caller = await identify(shop, incoming)
    signed = caller.signed
    if (signed === 'invalid')
      throw new TurnedAway('signature_invalid', 'The signature does not verify.', {
        status: 401,
        rpc: -32000,
      })
    const answer = await once(shop, incoming, () => run(shop, incoming, caller.platform))
    testify(wordOf(answer), answer.checkoutId)
    return answer
  } catch (error) {
    if (!(error instanceof TurnedAway || error instanceof BadRequest)) throw error
    testify(error.code)
    throw error
  }
}

/** The state of the checkout, or why there is none. */
function wordOf({ body, ends }: Answer): string {
  const { status, messages, detail }: Fields = { ...body }
  const [first] = Array.isArray(messages) && messages.length > 0 ? messages.filter(isObject) : []
  const isRefusal = !('id' in body) && first?.type === 'error'
  const word =
    typeof status === 'string'
      ? status
      : isRefusal
        ? first.code
        : detail === undefined
          ? 'answered'
          : 'refused'
  return ends === undefined ? String(word) : `${word} ${ends}`
}

async function identify(
  { platforms }: UcpShop,
  { agentUrl, release, message }: Incoming,
): Promise<{ platform: Platform; signed: boolean | 'invalid' }> {
  const away = (code: string, content: string, status: number) =>
    new TurnedAway(code, content, { status, rpc: -32001 })
  if (!isReachable(agentUrl))
    throw away('invalid_profile_url', 'Name the profile of the platform in UCP-Agent.', 400)
  const found = await platforms.find(agentUrl)
  if (found === 'unreachable') throw away('profile_unreachable', 'The profile could not be read.', 424)
  if (found === 'malformed') throw away('profile_malformed', 'The profile is no profile.', 422)
  // Shops of the first release look at nobody's profile: they only need to know who calls.
  if (found.version !== release && release !== firstRelease)
    throw away('version_unsupported', `This endpoint speaks ${release}.`, 422)
  const signed = checkSignature(message, found.keys)
  if (signed !== 'invalid') return { platform: found, signed }
  const fresh = await platforms.find(agentUrl, true)
  const platform = typeof fresh === 'object' ? fresh : found
  return { platform, signed: checkSignature(message, platform.keys) }
}

async function run(shop: UcpShop, incoming: Incoming, platform: Platform): Promise<Answer> {
  const { face, release, operation, id, body } = incoming
  const own = capabilitiesAt(release)
  const capabilities =
    release === firstRelease ? own : own.filter((name) => platform.capabilities.includes(name))
  if (!capabilities.includes(operation.capability)) {
    const content = `The platform does not have ${operation.capability}.`
    const error = { type: 'error', code: 'capabilities_incompatible', content, severity: 'unrecoverable' }
    return { status: 200, body: { ucp: { version: release, status: 'error' }, messages: [error] } }
  }
  const call: Call = { face, platform, agreed: { release, capabilities }, id, body }
  return operation.run(shop, call)
}

const underWay = new WeakMap<UcpShop, Map<string, Promise<Answer>>>()

/** The same key and the same request: the first answer once more. One that never arrived at the shop leaves no answer. */
async function once(shop: UcpShop, incoming: Incoming, work: () => Promise<Answer>): Promise<Answer> {
  const { operation, transport, key, agentUrl, id, body, message } = incoming
  const isNeeded = operation.keyed === 'always' || (operation.keyed === 'rest' && transport === 'rest')
  if (isNeeded && key === null)
    throw new BadRequest('Send an Idempotency-Key: a UUID of this request', 'idempotency_key_missing')
  if (operation.keyed === 'never' || key === null) return work()
  const note = `key:${createHash('sha256').update(`${agentUrl}\n${key}`).digest('base64url')}`
  // Over REST the very bytes: a request that is made anew is another one. A tool call has an id of its own each time.
  const digest = createHash('sha256')
    .update(JSON.stringify([operation.tool, id]))
    .update(transport === 'rest' ? message.body : JSON.stringify(body))
    .digest('base64url')
  const running = underWay.get(shop) ?? new Map<string, Promise<Answer>>()
  underWay.set(shop, running)
  await running.get(note)
  const kept = shop.desk.memory.notes.get(note)
  if (kept !== undefined) {
    // Written below, and nowhere else.
    const before = JSON.parse(kept) as { digest: string; answer: Answer }
    if (before.digest !== digest)
      throw new TurnedAway('idempotency_conflict', 'This key was used for another request.', {
        status: 409,
        rpc: -32000,
      })
    return before.answer
  }
  const working = work()
  running.set(
    note,
    working.catch(() => ({ status: 500, body: {} })),
  )
  try {
    const answer = await working
    const { ends, ...whole } = answer
    const isLost = ends === 'broken' && answer.story?.breaks === 'before'
    if (!isLost)
      shop.desk.memory.commit({
        kind: 'note',
        name: note,
        value: JSON.stringify({ digest, answer: whole }),
      })
    return answer
  } finally {
    running.delete(note)
  }
}
