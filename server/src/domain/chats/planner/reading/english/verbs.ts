import type { Unit } from '../unit.ts'

const subjects =
  /^(?:i|we|you|u|he|she|they|who|it|im|i'm|we're|were|they're|he's|she's|it's|ive|i've|we've|you've|they've)$/i
const helpers =
  /^(?:dont|don't|doesnt|doesn't|didnt|didn't|wont|won't|cant|can't|couldnt|couldn't|never|ill|i'll|we'll|he'll|she'll|they'll|lets|let's|could i|can i|do you|did you|have you|would you|i would|i might|if i|if we|when i|i should|do i|where do you)$/i
const modals = /^(?:can|could|will|would|should|must|may|might|shall|do|did|does|have|had|has)$/i
const being =
  /^(?:hes|shes|theyre|he's|she's|they're|is|are|am|was|were|im|i'm|we're|been|it's|keeps?|kept|started|stopped|starts?|stops?|isnt|isn't|its)$/i
const seeming =
  /^(?:would be|will be|looks?|sounds?|seems?|feels?|would look|must be|should be|would do|it's|its|that's|thats)$/i
const stating = /^(?:is|are|'s|was|were)$/i
/** What stands between a subject and its verb. */
const adverbs =
  /^(?:just|really|always|even|also|still|ever|already|usually|quite|so|only|actually|rather|too|very|not|definitely|simply|absolutely|pretty|all|both|probably|normally|never|often|sometimes)$/i
const particles = /^(?:up|off|out|down|in|on|over)$/i

/** English verbs are known by what stands before them: no table holds them all. What they are is no word to search by. */
export function withVerbs(units: readonly Unit[]): readonly Unit[] {
  return units.map((unit, at) => {
    if (isConclusion(units, at)) return { ...unit, tag: 'mark', value: ',' }
    // "A watering can."
    if (/^can$/i.test(unit.text) && isName(units[at - 1]) && !subjects.test(units[at + 1]?.text ?? ''))
      return { ...unit, tag: 'content', value: '' }
    if (unit.tag === 'filler' && particles.test(unit.text) && isInside(units, at))
      return { ...unit, tag: 'content' }
    if (unit.tag !== 'content' || /\d/.test(unit.text)) return unit
    return isVerb(units, at) || isPredicate(units, at) ? { ...unit, tag: 'filler', value: 'verb' } : unit
  })
}

/** "We are ten for dinner, so ten napkin rings": "so" begins what follows from what was told. */
function isConclusion(units: readonly Unit[], at: number): boolean {
  const after = units[at + 1]
  if (at < 2 || !/^so$/i.test(units[at]?.text ?? '') || after === undefined) return false
  return (
    ['a', 'number', 'count', 'need', 'search', 'max', 'maxprice', 'not', 'show', 'my'].includes(after.tag) ||
    /^(?:i|we|i'm|im|please|could you|can you)$/i.test(after.text)
  )
}

/** "Washing up bowl", "pop up tent": a particle in the midst of a name. */
function isInside(units: readonly Unit[], at: number): boolean {
  const [before, after] = [units[at - 1], units[at + 1]]
  return before?.tag === 'content' && after?.tag === 'content' && !isVerb(units, at - 1)
}

function isVerb(units: readonly Unit[], at: number): boolean {
  const unit = units[at] as Unit
  let place = at - 1
  while (place >= 0 && adverbs.test(units[place]?.text ?? '')) place -= 1
  const before = units[place]
  if (before === undefined || before.tag === 'mark' || before.tag === 'content') return false
  const after = units[at + 1]
  if (subjects.test(before.text) || helpers.test(before.text)) return isEnding(before, after)
  if (modals.test(before.text)) return subjects.test(units[place - 1]?.text ?? '')
  if (being.test(before.text)) return /ing$/i.test(unit.text) && !isName(after)
  if (/^to$/i.test(before.text)) return place > 0 && (after === undefined || isObject(after))
  return (
    /(?:^| )i$|^i /i.test(before.text) && before.tag !== 'need' && before.tag !== 'buy' && isObject(after)
  )
}

/** "It's waterproof", but "it's socks that I want". */
function isEnding(before: Unit, after: Unit | undefined): boolean {
  return !/'s$|^its$/i.test(before.text) || after === undefined || after.tag === 'mark'
}

function isName(unit: Unit | undefined): boolean {
  return unit?.tag === 'content' || unit?.tag === 'product'
}

function isObject(unit: Unit | undefined): boolean {
  return (
    unit !== undefined &&
    [
      'the',
      'a',
      'my',
      'it',
      'them',
      'whom',
      'mark',
      'for',
      'joiner',
      'filler',
      'from',
      'in',
      'and',
      'to',
    ].includes(unit.tag)
  )
}

/** "Yellow would be fun": what is said of a thing, at the end of the clause. */
function isPredicate(units: readonly Unit[], at: number): boolean {
  const after = units[at + 1]
  if (after !== undefined && after.tag !== 'mark' && after.tag !== 'and' && after.tag !== 'filler')
    return false
  let place = at - 1
  while (place >= 0 && (adverbs.test(units[place]?.text ?? '') || units[place]?.tag === 'a')) place -= 1
  const before = units[place]
  if (before === undefined) return false
  if (seeming.test(before.text)) return true
  if (!stating.test(before.text)) return false
  const start = units.findLastIndex(({ tag }, each) => each < place && tag === 'mark')
  const clause = units.slice(start + 1, place)
  const asks = clause.some(({ text, tag }) => /^(?:what|all|there)\b/i.test(text) || tag === 'need')
  return !asks && clause.some(({ tag }) => ['content', 'product', 'color', 'my', 'one'].includes(tag))
}
