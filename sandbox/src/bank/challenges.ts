import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openDurableLog } from '../durable-log.ts'
import { amount, BadRequest, currency, type Fields, optionalText, text } from '../fields.ts'
import { type Answer, type Call, json, list, problem, type Route } from '../json-server.ts'
import type { Challenge } from './challenge.ts'
import { answeredPage, challengePage } from './page.ts'

/** The banks of test cards: they ask the holders of cards on a page of theirs, and remember what these said. */
type Bank = { routes: Route[]; settled(): Promise<void>; close(): Promise<void> }

export async function openBank(stateDir: string): Promise<Bank> {
  const challenges = new Map<string, Challenge>()
  const byKey = new Map<string, string>()
  const log = await openDurableLog<Challenge>(join(stateDir, 'bank.jsonl'), keep)

  function keep(challenge: Challenge): void {
    challenges.set(challenge.id, challenge)
    byKey.set(challenge.key, challenge.id)
  }
  function commit(challenge: Challenge): void {
    keep(challenge)
    void log.append(challenge)
  }
  function find(call: Call): Challenge {
    const found = challenges.get(call.params.id ?? '')
    if (found === undefined) throw new BadRequest('There is no such challenge', 'not_found', 404)
    return found
  }
  function ask(call: Call): Answer {
    const key = call.header('idempotency-key')
    if (key === undefined) throw new BadRequest('Idempotency-Key is required', 'idempotency_key_required')
    const asked = termsOf(call.body())
    const earlier = challenges.get(byKey.get(key) ?? '')
    if (earlier === undefined) {
      const id = `chal_${randomUUID().replaceAll('-', '')}`
      const at = { created_at: new Date().toISOString(), answered_at: null }
      commit({ id, object: 'challenge', status: 'pending', key, ...asked, ...at })
    } else if (!isSame(earlier, asked))
      return problem(409, 'idempotency_key_conflict', 'This key was already used with another question')
    return json(earlier === undefined ? 201 : 200, shown(challenges.get(byKey.get(key) ?? ''), call))
  }
  function answer(call: Call): Answer {
    const challenge = find(call)
    const said = new URLSearchParams(call.raw.toString()).get('answer')
    if (said !== 'confirmed' && said !== 'refused')
      throw new BadRequest('answer must be confirmed or refused')
    // What a person has said once, a page that is loaded again does not change.
    if (challenge.status === 'pending')
      commit({ ...challenge, status: said, answered_at: new Date().toISOString() })
    return { kind: 'json', status: 303, body: {}, headers: { location: challenge.return_url } }
  }

  return {
    routes: [
      { method: 'POST', path: '/v1/challenges', handle: ask },
      { method: 'GET', path: '/v1/challenges', handle: () => list([...challenges.values()]) },
      { method: 'GET', path: '/v1/challenges/:id', handle: (call) => json(200, shown(find(call), call)) },
      { method: 'GET', path: '/bank/:id', handle: (call) => page(find(call)) },
      { method: 'POST', path: '/bank/:id', handle: answer },
    ],
    settled: log.durable,
    close: log.close,
  }
}

type Terms = Pick<Challenge, 'card' | 'purpose' | 'amount' | 'currency' | 'shops' | 'return_url'>

function termsOf(body: Fields): Terms {
  const purpose = text(body, 'purpose')
  if (purpose !== 'approval' && purpose !== 'enrollment')
    throw new BadRequest('purpose must be approval or enrollment')
  const { shops = [] } = body
  if (!Array.isArray(shops) || !shops.every((each) => typeof each === 'string'))
    throw new BadRequest('shops must be a list of names')
  const hasAmount = body.amount !== undefined && body.amount !== null
  return {
    card: optionalText(body, 'card') ?? 'unknown',
    purpose,
    amount: hasAmount ? amount(body, 'amount') : null,
    currency: hasAmount ? currency(body) : null,
    shops,
    return_url: webAddress(text(body, 'return_url')),
  }
}

function webAddress(url: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new BadRequest('return_url must be the address of a page')
  return url
}

function isSame(earlier: Challenge, asked: Terms): boolean {
  return Object.entries(asked).every(
    ([name, value]) => JSON.stringify(earlier[name as keyof Terms]) === JSON.stringify(value), // the names are its own
  )
}

/** As the caller sees it: without the way back, and with the page to which it sends the person. */
function shown(challenge: Challenge | undefined, call: Call): object {
  if (challenge === undefined) throw new Error('a challenge was not kept')
  const { return_url: _, key: __, ...rest } = challenge
  return { ...rest, url: `http://${call.header('host')}/bank/${challenge.id}` }
}

function page(challenge: Challenge): Answer {
  const { text: markup } = challenge.status === 'pending' ? challengePage(challenge) : answeredPage(challenge)
  return { kind: 'raw', status: 200, type: 'text/html; charset=utf-8', chunks: [markup] }
}
