import type { Language, Spoken } from '../understood.ts'
import type { Tag } from './lexicon.ts'
import { matchesShown } from './shown-words.ts'
import type { Unit } from './unit.ts'

/**
 * Whether words of buying ask for it. What asks is an imperative, a wish of who writes, or a verb with a thing; all else that speaks of
 * buying (somebody else's, a question, a story, a condition) only speaks of it.
 */
export function isOrder(units: readonly Unit[], language: Language, spoken: Spoken): boolean {
  const verb = units.some(({ tag }) => tag === 'buy') ? 'buy' : 'need'
  const all = units.flatMap(({ tag, value }, at) => (tag === verb && value !== 'weak' ? [at] : []))
  // "買うのは来月にする": what is chosen is no verb of buying where there is one.
  const isBuying = all.some((at) => units[at]?.value !== 'choose')
  const verbs = all.filter((at) => !isBuying || units[at]?.value !== 'choose').slice(0, verbsMax)
  return verbs.some((at) => asks(clauseAround(units, at), language, spoken, isBegged(units, at)))
}

/** What somebody else said is no order of who writes: in quotation marks, or beside "she says" in one sentence. */
export function withoutReported(source: string, units: readonly Unit[]): readonly Unit[] {
  const buying = units.filter(({ tag }) => tag === 'buy')
  if (buying.length === 0) return units
  const quotes = quotesIn(source)
  const reports = new Set<number>()
  const sentences: number[] = []
  let sentence = 0
  for (const { tag, value, text } of units) {
    if (tag === 'mark' && /[.!?…。\n;]/.test(value)) sentence += 1
    // "赤って言ったけど青で": what follows is the writer's own.
    if (tag === 'and' && /^け/u.test(text) && reports.has(sentence)) sentence += 1
    if (tag === 'reported') reports.add(sentence)
    sentences.push(sentence)
  }
  return units.map((unit, at): Unit => {
    if (unit.tag !== 'buy') return unit
    const isSaid =
      reports.has(sentences[at] ?? -1) || quotes.some(([from, to]) => unit.start >= from && unit.end <= to)
    return isSaid ? { ...unit, tag: 'hypo', value: '' } : unit
  })
}

/** Where quotations stand, unless all is one. */
function quotesIn(source: string): readonly (readonly [number, number])[] {
  const found = [...source.matchAll(/[„“"«「『][^„“”"«»「」『』]*[“”"»」』]/gu)].slice(0, 100)
  const quoted = found.reduce((sum, { 0: text }) => sum + text.length, 0)
  if (source.trim().length - quoted < 3) return []
  return found.map(({ index, 0: text }) => [index, index + text.length])
}

/** Nobody says more often in one wish that they buy. */
const verbsMax = 20
/** Words that stand between a preposition and its noun. */
const ledMax = 8

type Clause = { readonly before: readonly Unit[]; readonly verb: Unit; readonly after: readonly Unit[] }

/**
 * Forms in which words of buying order nothing, whatever stands around them: what was going to be, what a thing is wanted to do, what
 * somebody stops doing, and what they take every day.
 */
const noOrders: Readonly<Partial<Record<Language, RegExp>>> = {
  en: /\b(?:always|usually|often|sometimes|normally|generally|typically|regularly|rarely|seldom|hardly|constantly|every (?:single )?(?:day|week|month|year|time|morning|evening|weekend|other|\p{L}+day)|once a (?:week|month|year)|all the time)\b|\b(?:was|were|wasn['’]?t|weren['’]?t|had|hadn['’]?t)(?: not| just| only)? (?:going|about|planning|meaning) to\b|\b(?:want|like|need) (?:it|them|that|this|these|those) to\b/iu,
  fr: /\b(?:d['’]habitude|habituellement|généralement|en général|toujours|souvent|parfois|des fois|régulièrement|rarement|(?<!de )chaque|tou(?:s|tes) les (?:ans|jours|mois|matins|soirs|semaines|étés|hivers)|depuis|à chaque fois|quotidiennement)\b|\b(?:arr[êe]t|cess)[\p{L}]* d(?:e|['’])? ?(?:acheter|commander|prendre)\b/iu,
  de: /\b(?:immer|meistens|meist|oft|öfters?|häufig|normalerweise|gewöhnlich|regelmäßig|grundsätzlich|selten|ständig|jede[nrs]? (?:woche|monat|jahr|tag))\b|\b(?:dass|daß) (?!sie\b|du\b|ihr\b)|\bzu (?:be|nach)?(?:bestellen|kaufen|ordern|nehmen)\b|\bnehmen? (?:gerade|schon|seit|täglich|regelmäßig|immer)\b/iu,
}

/** "Wären Sie so freundlich, sie zu bestellen": who is asked to be so kind. */
function isBegged(units: readonly Unit[], at: number): boolean {
  const before = units.slice(Math.max(0, at - 20), at).map(({ text }) => text)
  return begging.test(before.join(' '))
}

const begging =
  /\b(?:w[äa]r(?:e|en|st|t|est)?|seien|sei|seid) (?:sie |du |ihr )?(?:bitte )?so (?:nett|lieb|gut|freundlich)\b|\b(?:bitte|ersuche|darf ich|dürfte ich) (?:sie|dich|euch)(?: bitten)?\b/iu

function asks(clause: Clause, language: Language, spoken: Spoken, begged: boolean): boolean {
  const text = [...clause.before.slice(-8), clause.verb, ...clause.after.slice(0, 8)]
    .map((unit) => unit.text)
    .join(' ')
  if (!begged && noOrders[language]?.test(text)) return false
  if (language === 'ja') return endsInOrder(clause)
  const { before, verb, after } = clause
  if (beginsQuestion(before, language)) return false
  if (before.some(isOther) || asking.test(after[0]?.text ?? '')) return false
  if (!isVerb(clause, language)) return false
  if (
    before.some(({ tag, value, text: said }) => tag === 'filler' && value === 'verb' && !wishing.test(said))
  )
    return false
  // "Vous en achetez ?" asks what others do.
  if (
    before.some(({ text }) => /^(?:vous|ustedes)$/i.test(text)) &&
    !before.some(({ text }) => helpers.test(text) || /^(?:je|j')$/i.test(text))
  )
    return false
  const named = before.filter((unit, at) => isThing(unit) && !isLed(before, at))
  // "Mon frère achète": who is called by a word of manners is somebody too.
  if (before.some((unit, at) => unit.tag === 'my' && before[at + 1]?.tag === 'filler')) return false
  if (named.length === 0) return true
  // The thing before the verb: "the second one please order", "einen Wasserkocher kaufen", "den Bosch nehme ich".
  const isBare = !after.some((unit) => isThing(unit) || isPoint(unit))
  if (language === 'de')
    return isBare || /^(?:ich|wir|sie)$/i.test(after[0]?.text ?? '') || verb.value === 'it'
  return isBare && (isOneThing(before) || matchesShown(named.map(({ text }) => text).join(' '), spoken))
}

const wishing = /love|hop|mean|know|get/i

/** The units between the marks around a verb. */
function clauseAround(units: readonly Unit[], at: number): Clause {
  const start = units.findLastIndex((unit, place) => place < at && isBorder(unit))
  const end = units.findIndex((unit, place) => place > at && isBorder(unit))
  return {
    before: units.slice(start + 1, at),
    verb: units[at] as Unit,
    after: units.slice(at + 1, end < 0 ? undefined : end),
  }
}

function isBorder({ tag, value }: Unit): boolean {
  return (tag === 'mark' && value !== '-') || tag === 'and' || tag === 'oops'
}

function isThing({ tag }: Unit): boolean {
  return tag === 'content' || tag === 'product' || tag === 'whom'
}

const leading: ReadonlySet<Tag> = new Set(['for', 'in', 'from', 'joiner', 'to', 'with'] as Tag[])
const inside: ReadonlySet<Tag> = new Set([
  'the',
  'a',
  'my',
  'content',
  'product',
  'color',
  'whom',
  'size',
  'number',
  'unit',
] as Tag[])

/** "For the garden": what a preposition leads is neither who buys nor what is bought. */
function isLed(units: readonly Unit[], at: number): boolean {
  let place = at - 1
  while (place >= 0 && place > at - ledMax && inside.has(units[place]?.tag as Tag)) place -= 1
  return (
    (place >= 0 && leading.has(units[place]?.tag as Tag)) ||
    (units[at]?.tag === 'whom' && units[at]?.value === 'self')
  )
}

function isPoint({ tag }: Unit): boolean {
  return tag === 'color' || tag === 'place' || tag === 'extreme' || tag === 'quantity'
}

/** "Buying online scares me", "das Kaufen im Internet": a verb that is a noun, or said of others. */
function isVerb({ before, verb, after }: Clause, language: Language): boolean {
  if (language === 'en')
    return (
      !/ing$/i.test(verb.text) ||
      before.some(({ text }) => /^(?:i'?m|i am|we'?re|we are|am)$/i.test(text)) ||
      / /.test(verb.text)
    )
  const isWanted = before.some(({ tag }) => tag === 'need') || before.some(({ text }) => helpers.test(text))
  if (isWanted) return true
  if (language === 'de')
    return !/en$/i.test(verb.text) || !after.some(isThing) || /^(?:sie|wir)$/i.test(after[0]?.text ?? '')
  // "Je préfère acheter en magasin": a verb between who writes and what is bought says what they feel about it.
  const isFelt =
    language === 'fr' &&
    /^(?:acheter|commander|prendre|payer|réserver)$/i.test(verb.text) &&
    before.some(({ text }) => /^(?:je|j'|on|nous)(?: |$)/i.test(text))
  if (isFelt) return false
  return (
    / /.test(verb.text) ||
    !/(?:er|re|ar|ir)$/i.test(verb.text) ||
    !after.some(({ text }) => /^(?:me|nous|nos|m')(?: |$)/i.test(text))
  )
}

const helpers =
  /^(?:kannst|könntest|könnten|können|würdest|würden|möchte|will|lass|peux|pouvez|pourrais|pourriez|puedes|puede|podrías|podría|voy|vais|vamos)\b/i

/** One noun with what belongs to it, and nothing that could be a verb of somebody's. */
function isOneThing(units: readonly Unit[]): boolean {
  const first = units.findIndex(isThing)
  const head = units[first - 1]
  const isHeaded =
    head !== undefined &&
    ['the', 'a', 'quantity', 'color', 'material', 'size', 'place', 'extreme'].includes(head.tag)
  const rest = units.slice(first)
  return (
    isHeaded &&
    rest.every(
      (unit) =>
        unit.tag !== 'whom' && (inside.has(unit.tag) || unit.tag === 'joiner' || unit.tag === 'filler'),
    )
  )
}

const asking = /^(?:quoi|what|was|que|qué|who|wer|qui|quién)$/i

/** Who buys is somebody else. */
function isOther({ text }: Unit): boolean {
  return others.test(text)
}

const others =
  /^(?:he|she|they|people|folks|anybody|anyone|no one|everyone|everybody|nobody|somebody|someone|er|man|jeder|alle|viele|manche|mancher|leute|kunden|menschen|frauen|männer|jemand|niemand|il|elle|ça|cela|ils|elles|les gens|quelqu'un|personne|él|ella|ellos|ellas|alguien|nadie|quién|quien|who|wer|qui)$/i

/** "Did I buy", "darf er kaufen": a verb that helps another, before who does it. */
function beginsQuestion(units: readonly Unit[], language: Language): boolean {
  const first = units.find(({ tag }) => !['greet', 'yes', 'oops', 'thank', 'mark'].includes(tag))
  return questions[language]?.test(first?.text ?? '') ?? false
}

const questions: Readonly<Record<Language, RegExp | null>> = {
  en: /^(?:did|do|does|have|has|had|is|are|was|were|am|should|shall|may|might|didnt|havent)\b/i,
  de: /^(?:darf|dürfen|soll|sollen|sollte|muss|müssen|hat|hast|habe|hab|haben|hatte|hatten|ist|sind|war|waren|wird|werden)\b/i,
  fr: /^(?:ai|as|a|avons|est|dois|doit|puis|peut|aurais|aurait)\b/i,
  es: /^(?:debo|debe|puedo|puede|he|has|ha|había|habia|hay)\b/i,
  ja: null,
}

/** In Japanese the verb ends what is said: what follows it but particles and manners makes it a part of something else. */
function endsInOrder({ before, after, verb }: Clause): boolean {
  if (before.some((unit, at) => isSubject(unit, before[at + 1]))) return false
  // "値段が下がったら買う" waits for something.
  if (/[てで]から/u.test(before.map(({ text }) => text).join(''))) return false
  if (/(?<!よか|でき|でき)ったら|(?<![っき])たら(?!い)/u.test(before.map(({ text }) => text).join('')))
    return false
  const isNoun = /(?:購入|注文|決済|支払い|買い|会計)$/u.test(verb.text)
  const first = after[0]
  if (first !== undefined && /^(?:の|ん)/u.test(first.text)) return false
  if (isNoun && first !== undefined && /^(?:は|が|も|の|に|と|から|より|って)/u.test(first.text)) return false
  const isAsked = !/[うるく]$|ます$/u.test(verb.text)
  return after.every(({ tag }) => closing.has(tag) || (isAsked && chosen.has(tag)))
}

/** "弟はいつも買う": somebody of whom it is said. */
function isSubject({ tag, text }: Unit, next: Unit | undefined): boolean {
  if (tag !== 'whom' && !/^(?:彼女|彼|みんな|皆|誰|だれ|人)$/u.test(text)) return false
  return next === undefined || !/^(?:に|へ|の|用|と)/u.test(next.text)
}

/** "カゴに入れて、黒のL": which one is said after what is asked. */
const chosen: ReadonlySet<Tag> = new Set(['color', 'size', 'material', 'sizeword', 'unit', 'mark'] as Tag[])
const closing: ReadonlySet<Tag> = new Set([
  'filler',
  'yes',
  'need',
  'thank',
  'buy',
  'it',
  'quantity',
  'maxprice',
  'rather',
  'tail',
  'one',
  'pasttime',
] as Tag[])
