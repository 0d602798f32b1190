import type { Language, Spoken, Understood, Wish } from '../understood.ts'
import { readAmounts } from './amounts.ts'
import { withClauses } from './clauses.ts'
import { detectLanguage, lexicons } from './detect-language.ts'
import { withoutDenied, withPhrasals } from './english/phrasal.ts'
import { corrected, type Frame, frameOf } from './frame.ts'
import { withoutVerbs } from './german/verbs.ts'
import { withoutJapaneseClauses } from './japanese/clauses.ts'
import { withoutReported } from './orders.ts'
import { type Part, partsOf } from './parts.ts'
import { readSpanish } from './spanish/read-spanish.ts'
import { plainText } from './tokens.ts'
import type { Unit } from './unit.ts'
import { unitsOf } from './units.ts'
import { wishOf } from './wish-of.ts'

/** A message is read up to here; nobody writes a wish in more. */
const lettersMax = 8_000

/**
 * What a person wishes, by grammar and word tables: the words are tagged, the parts of the message found, and each part decided. What is
 * in doubt is `unclear`, and never a purchase.
 */
export function understand(text: string, spoken: Spoken): Understood {
  const source = plainText(text.slice(0, lettersMax))
  const language = detectLanguage(source, spoken.language, spoken.shown)
  const ordered = ordering(unitsOf(source, lexicons[language]), language, spoken)
  const clear = withClauses(source, withoutDenied(readAmounts(ordered, spoken.asked)), language, spoken)
  const units = withoutReported(source, language === 'ja' ? withoutJapaneseClauses(clear) : clear)
  const wishes = partsOf(units).map((part) => wishOf(framed(source, part, language, spoken), spoken))
  return { language, wishes: lasting(wishes, spoken) }
}

/** The units in an order, and with tags, that the grammar reads in every language. */
function ordering(units: readonly Unit[], language: Language, spoken: Spoken): readonly Unit[] {
  if (language === 'es') return readSpanish(units, spoken)
  return language === 'de' ? withoutVerbs(units) : withPhrasals(units, language)
}

/** A part with its corrections. One that asks for something else is no correction but all that is wished. */
function framed(source: string, part: Part, language: Language, spoken: Spoken): Frame {
  let frame: Frame | null = null
  for (const { units, isAsking } of part) {
    const next = frameOf(source, units, language, spoken)
    frame =
      frame === null ||
      (frame.tags.has('nobuy') && (next.query !== '' || saysWhich(next))) ||
      (isAsking && (next.query !== '' || saysWhich(next)))
        ? next
        : corrected(frame, next)
  }
  return frame ?? frameOf(source, [], language, spoken)
}

function saysWhich({ place, extreme, isPointing, tags }: Frame): boolean {
  return place !== null || extreme !== null || isPointing || tags.has('it')
}

const polite: ReadonlySet<string> = new Set([
  'greet',
  'thank',
  'yes',
  'no',
  'unclear',
] satisfies Wish['action'][])

/** What a no that follows takes back. */
const deniable: ReadonlySet<Wish['action']> = new Set([
  'buy',
  'adjust',
  'search',
  'refine',
  'show',
  'cancel',
  'compare',
  'retry',
])

/** Greetings and thanks around a wish are manners; alone they are what was said. */
function lasting(wishes: readonly Wish[], spoken: Spoken): Wish[] {
  const last = wishes.at(-1)
  // "It came broken, I want my money back" asks for one thing.
  const returns = wishes.some(({ action }) => action === 'return')
  const follows = wishes.some(({ action }) => action === 'follow')
  const wanted = wishes.filter(
    (wish) =>
      !polite.has(wish.action) &&
      !(returns && (wish.action === 'follow' || (wish.action === 'cancel' && isBare(wish)))) &&
      !(follows && wish.action === 'why'),
  )
  if (wanted.length > 0)
    return last?.action === 'no' &&
      wanted.length === 1 &&
      wanted[0]?.action !== 'cancel' &&
      deniable.has(wanted[0]?.action ?? 'no')
      ? [last]
      : unlike(withThings(withoutEchoes(withDetails(wanted))))
  const said = wishes.filter(({ action }) => action !== 'unclear')
  const has = (action: Wish['action']) => said.some((wish) => wish.action === action)
  // A yes before a no, or beside it, is none; a no that is followed by "that's fine" stays one.
  if (has('yes') && has('no') && said[0]?.action !== 'no') return [{ action: 'unclear' }]
  const order =
    spoken.asked === 'whether'
      ? (['no', 'yes', 'thank', 'greet'] as const)
      : (['no', 'thank', 'yes', 'greet'] as const)
  const first = order.find(has)
  return [{ action: first ?? 'unclear' }]
}

/** "I take the blue one, order it": what says no more than the wish beside it is the same wish. "I paid my card, try again" asks for one. */
function withoutEchoes(wishes: readonly Wish[]): Wish[] {
  return wishes.filter((wish, at) => {
    const isFixed = wish.action === 'refuse' && wishes[at + 1]?.action === 'retry'
    if (isFixed) return false
    return (
      !isBare(wish) ||
      !wishes.some(
        (other, place) => place !== at && other.action === wish.action && (!isBare(other) || place < at),
      )
    )
  })
}

/** "Get me soil, I mean order it, 40 liters": what is said later of the same purchase. */
function withDetails(wishes: readonly Wish[]): readonly Wish[] {
  const [first, second] = wishes
  if (wishes.length !== 2 || first?.action !== 'buy' || second?.action !== 'buy') return wishes
  const isDetail = second.query === undefined && (second.which === undefined || second.which.by === 'it')
  return isDetail && !isBare(second) ? [{ ...second, ...first }] : wishes
}

/** "The Bosch, then. Buy!": what is bought is what was named just before. */
function withThings(wishes: readonly Wish[]): readonly Wish[] {
  const [named, bought] = wishes
  if (wishes.length !== 2 || named?.action !== 'show' || bought?.action !== 'buy') return wishes
  const isIt = bought.query === undefined && (bought.which === undefined || bought.which.by === 'it')
  return isIt ? [{ ...bought, which: named.which }] : wishes
}

function isBare(wish: Wish): boolean {
  return Object.entries(wish).every(
    ([slot, value]) =>
      slot === 'action' || (slot === 'which' && typeof value === 'object' && value.by === 'it'),
  )
}

function unlike(wishes: readonly Wish[]): Wish[] {
  const seen = new Set<string>()
  return wishes.filter((wish) => {
    const text = JSON.stringify(wish, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}
