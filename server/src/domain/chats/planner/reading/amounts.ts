import { minorPerMajor } from '../../../../core/money.ts'
import type { Price, Spoken } from '../understood.ts'
import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'

/** What a number is: a price, a quantity, a place, a size, or a part of the product's name. */
export function readAmounts(units: readonly Unit[], asked: Spoken['asked']): Unit[] {
  const joined = joinNumbers(withDeniedLimits(units))
  const read: Unit[] = []
  for (let at = 0; at < joined.length; ) {
    const found =
      measuresAt(joined, at) ?? rangeAt(joined, at) ?? limitAt(joined, at) ?? countAt(joined, at, read, asked)
    if (found) {
      read.push(...found.units)
      at = found.next
    } else {
      read.push(asWord(joined[at] as Unit))
      at += 1
    }
  }
  return read
}

/** The name of a currency or of pieces without a number is a word: "pound cake", "un livre", "本". */
function asWord(unit: Unit): Unit {
  const isLimit = unit.tag === 'max' || unit.tag === 'maxafter'
  if (isLimit && /limit|^(?:上限|限度)/iu.test(unit.text)) return { ...unit, tag: 'limit', value: '' }
  const isWord = (unit.tag === 'currency' || unit.tag === 'cent') && /\p{L}{3}/u.test(unit.text)
  const isMeasureless = unit.tag === 'unit' && /\p{L}{3}/u.test(unit.text)
  return isWord || isMeasureless || (unit.tag === 'piece' && /[\u30a1-\u9fff]/u.test(unit.text))
    ? { ...unit, tag: 'content' }
    : unit
}

/** "I don't want to spend over £90", "not a penny over 200": what is denied beyond an amount is below it. */
function withDeniedLimits(units: readonly Unit[]): readonly Unit[] {
  const changed = [...units]
  for (const [at, unit] of units.entries()) {
    if (unit.tag !== 'min' || units[at + 1] === undefined) continue
    let from = at - 1
    while (from >= 0 && from > at - 5 && units[from]?.tag !== 'mark' && !isDenying(units[from])) from -= 1
    if (from < 0 || !isDenying(units[from])) continue
    for (let place = from; place < at; place += 1)
      changed[place] = { ...(units[place] as Unit), tag: 'filler', value: '' }
    changed[at] = { ...unit, tag: 'max' }
  }
  return changed
}

function isDenying(unit: Unit | undefined): boolean {
  return unit?.tag === 'not' || unit?.tag === 'nobuy' || (unit?.tag === 'no' && unit.value === 'not')
}

type Found = { readonly units: readonly Unit[]; readonly next: number }

/** Number words side by side are one number: "two hundred and fifty", "quatre-vingt-dix", "treinta y cinco". */
function joinNumbers(units: readonly Unit[]): Unit[] {
  const joined: Unit[] = []
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as Unit
    const before = joined.at(-1)
    if (before?.tag === 'number' && isHalf(units, at)) {
      joined.pop()
      const last = units[at + 2] as Unit
      joined.push({ ...before, value: `${before.value}.5`, text: `${before.text} and a half`, end: last.end })
      at += 2
      continue
    }
    if (unit.tag !== 'number' || !before) {
      joined.push(unit)
      continue
    }
    const first = before.tag === 'number' ? before : joined.at(-2)
    const isTouching = before.tag === 'number' || (before.tag === 'and' && first?.tag === 'number')
    const isSpaced = before.tag === 'number' && unit.start - before.end === 1
    const sum = first && isTouching ? sumOf(first, unit, isSpaced) : null
    if (first && sum !== null) {
      if (before !== first) joined.pop()
      joined.pop()
      joined.push({ ...unit, value: sum, start: first.start, text: `${first.text} ${unit.text}` })
    } else joined.push(unit)
  }
  return joined
}

/** "Eleven and a half." */
function isHalf(units: readonly Unit[], at: number): boolean {
  return units[at]?.tag === 'and' && units[at + 1]?.tag === 'a' && /^half$/i.test(units[at + 2]?.text ?? '')
}

function sumOf(first: Unit, next: Unit, isSpaced: boolean): string | null {
  // 1 299 kr: digits in threes.
  if (isSpaced && /^\d{1,3}$/.test(first.text) && /^\d{3}(?:[.,]\d\d)?$/.test(next.text))
    return first.value + next.value
  if (/\d/.test(next.text)) return null
  const one = Number(first.value)
  const two = Number(next.value)
  if (two === 1000 && one < 1000) return String(one * 1000)
  if (two === 100) {
    if (one < 10) return String(one * 100)
    return one % 1000 > 0 && one % 1000 < 10 ? String(one + (one % 1000) * 99) : null
  }
  if (/\d/.test(first.text)) return null
  if (two === 20 && one % 100 === 4) return String(one + 76)
  const isLower =
    (one % 10 === 0 && two < 10) || (one % 100 === 0 && two < 100) || (one % 1000 === 0 && two < 1000)
  const isFrench = (one % 100 === 60 || one % 100 === 80) && two >= 10 && two < 20
  return one > 0 && (isLower || isFrench) ? String(one + two) : null
}

type Money = {
  readonly value: string
  readonly currency: string | null
  readonly isCent: boolean
  readonly next: number
}

function moneyAt(units: readonly Unit[], at: number): Money | null {
  const [first, second] = [units[at], units[at + 1]]
  if (first?.tag === 'currency' && second?.tag === 'number') {
    // `$20 USD` says it twice.
    const third = units[at + 2]
    const isTwice = third?.tag === 'currency' && /[a-z]/i.test(third.text)
    return {
      value: second.value,
      currency: isTwice ? third.value : first.value,
      isCent: false,
      next: at + (isTwice ? 3 : 2),
    }
  }
  if (first?.tag === 'cash') {
    const [value = '0', currency = null] = first.value.split(' ')
    return { value, currency, isCent: false, next: at + 1 }
  }
  if (first?.tag !== 'number') return null
  if (second?.tag === 'cent')
    return { value: first.value, currency: second.value, isCent: true, next: at + 2 }
  if (second?.tag !== 'currency') return { value: first.value, currency: null, isCent: false, next: at + 1 }
  const third = units[at + 2]
  const isRest =
    third?.tag === 'number' &&
    /^\d\d$/.test(third.text) &&
    !isMeasure(units[at + 3]) &&
    !first.value.includes('.')
  const value = isRest ? `${first.value}.${third.text}` : first.value
  return { value, currency: second.value, isCent: false, next: at + (isRest ? 3 : 2) }
}

function isMeasure(unit: Unit | undefined): boolean {
  return unit?.tag === 'unit' || unit?.tag === 'piece' || unit?.tag === 'content' || unit?.tag === 'product'
}

function priceOf({ value, currency, isCent }: Money, other: string | null = null): Price {
  const known = currency ?? other
  const perMajor = isCent ? 1n : minorPerMajor(known ?? 'EUR')
  const [whole = '0', rest = ''] = value.split('.')
  const decimals = String(perMajor).length - 1
  // More decimals than the currency has are no amount of it; they are cut.
  const minor = BigInt(whole) * perMajor + BigInt(rest.padEnd(decimals, '0').slice(0, decimals) || '0')
  return { amount: minor, currency: known }
}

/** "40 x 30 cm", "150x250", "62/68": measures of one thing are its size. */
function measuresAt(units: readonly Unit[], at: number): Found | null {
  const [first, by, second] = [units[at], units[at + 1], units[at + 2]]
  if (first?.tag !== 'number' || second?.tag !== 'number' || by === undefined) return null
  if (!/^\d/.test(first.text) || !/^\d/.test(second.text)) return null
  const isBy = /^[x×]$/i.test(by.text) || (by.text === '/' && Number(second.value) > 9)
  if (!isBy) return null
  const measure = units[at + 3]?.tag === 'unit' ? units[at + 3] : undefined
  const space = by.start > first.end ? ' ' : ''
  const value = `${first.text}${space}${by.text}${space}${second.text}${measure ? ` ${measure.text}` : ''}`
  const next = at + (measure ? 4 : 3)
  return { units: [{ ...spanOf(units, at, next), tag: 'size', value: value.toUpperCase() }], next }
}

function rangeAt(units: readonly Unit[], at: number): Found | null {
  const isSaid = units[at]?.tag === 'between'
  const low = moneyAt(units, isSaid ? at + 1 : at)
  if (!low) return null
  const joint = units[low.next]
  const isDash = joint?.tag === 'mark' && joint.value === '-'
  const isJoint =
    joint?.tag === 'to' ||
    (joint?.tag === 'joiner' && /^[àa]$/.test(joint.text)) ||
    isDash ||
    (joint?.tag === 'max' && joint.value === 'to') ||
    (isSaid && joint?.tag === 'and')
  const high = isJoint ? moneyAt(units, low.next + 1) : null
  if (!high || !(isSaid || low.currency !== null || high.currency !== null)) return null
  if (
    isMeasure(units[high.next]) &&
    high.currency === null &&
    low.currency === null &&
    units[high.next]?.tag === 'unit'
  )
    return null
  const span = spanOf(units, at, high.next)
  return {
    units: [
      { ...span, tag: 'minprice', value: '', price: priceOf(low, high.currency) },
      { ...span, tag: 'maxprice', value: '', price: priceOf(high, low.currency) },
    ],
    next: high.next,
  }
}

/** A price with what makes it a limit: "under 30 €", "40 Euro maximal", "3000円以下". A price alone is what somebody would pay. */
function limitAt(units: readonly Unit[], at: number): Found | null {
  const marker = units[at]?.tag
  const isMarked = marker === 'max' || marker === 'min' || marker === 'about' || marker === 'for'
  let from = at
  if (isMarked) {
    from += 1
    while (from < at + 5 && isPassed(units[from]?.tag)) from += 1
  }
  const money = moneyAt(units, from)
  if (!money) return null
  let after = money.next
  while (after < money.next + 2 && units[after]?.tag === 'filler') after += 1
  const following = units[after]?.tag
  const isSuffix =
    (following === 'max' || following === 'min') &&
    units[after + 1]?.tag !== 'number' &&
    units[after + 1]?.tag !== 'currency'
  const isLimitAfter = following === 'maxafter' || following === 'minafter' || isSuffix
  if (money.currency === null) {
    if (!isMarked && !isLimitAfter) return null
    if (isMeasure(units[money.next]) && units[money.next]?.tag !== 'content')
      return asContent(units, at, money.next + 1)
    if (marker === 'about' || marker === 'for' || units[money.next]?.tag === 'nth') return null
  }
  if (money.currency !== null && units[money.next]?.tag === 'voucher')
    return asContent(units, from, money.next + 1)
  const isMin =
    marker === 'min' || ((following === 'minafter' || (isSuffix && following === 'min')) && !isMarked)
  const next = isLimitAfter ? after + 1 : money.next
  const span = spanOf(units, at, next)
  return {
    units: [{ ...span, tag: isMin ? 'minprice' : 'maxprice', value: '', price: priceOf(money) }],
    next,
  }
}

function isPassed(tag: Tag | undefined): boolean {
  return (
    tag === 'filler' ||
    tag === 'the' ||
    tag === 'a' ||
    tag === 'max' ||
    tag === 'about' ||
    tag === 'joiner' ||
    tag === 'price' ||
    tag === 'it'
  )
}

/** Numbers that are no prices. What is none of these belongs to the product's name. */
function countAt(
  units: readonly Unit[],
  at: number,
  read: readonly Unit[],
  asked: Spoken['asked'],
): Found | null {
  const unit = units[at] as Unit
  if (unit.tag === 'count' && /^(?:のうち|の中)/u.test(units[at + 1]?.text ?? ''))
    return { units: [{ ...unit, tag: 'filler', value: '' }], next: at + 1 }
  if (unit.tag === 'count') return { units: [{ ...unit, tag: 'quantity' }], next: at + 1 }
  const [next, before] = [units[at + 1], read.at(-1)]
  if (unit.tag === 'nth' && unit.value === 'before' && next?.tag === 'number' && Number(next.value) <= 50) {
    // Nobody is shown so many: "número 37" is how a shoe is called.
    const tag = Number(next.value) > 20 ? 'size' : 'place'
    return { units: [{ ...spanOf(units, at, at + 2), tag, value: next.value }], next: at + 2 }
  }
  if (unit.tag === 'piece' && unit.value === 'times' && next?.tag === 'number' && isCount(next)) {
    return { units: [{ ...spanOf(units, at, at + 2), tag: 'quantity', value: next.value }], next: at + 2 }
  }
  if (
    (unit.tag === 'sizeword' || /^(?:du|del)$/i.test(unit.text)) &&
    next?.tag === 'number' &&
    units[at + 2]?.tag !== 'unit'
  ) {
    return { units: [{ ...spanOf(units, at, at + 2), tag: 'size', value: next.value }], next: at + 2 }
  }
  if (unit.tag !== 'number') return null
  if (next?.tag === 'nth' && next.value !== 'before') {
    return { units: [{ ...spanOf(units, at, at + 2), tag: 'place', value: unit.value }], next: at + 2 }
  }
  const afterPiece = next?.tag === 'piece' ? units[at + 2] : undefined
  if (
    next?.tag === 'piece' &&
    /^(?:のうち|の中)/u.test((afterPiece?.text ?? '') + (units[at + 3]?.text ?? ''))
  ) {
    return { units: [{ ...spanOf(units, at, at + 2), tag: 'filler', value: '' }], next: at + 2 }
  }
  if (next?.tag === 'piece' && isCount(unit) && afterPiece?.tag !== 'number') {
    const quantity: Unit = { ...spanOf(units, at, at + 2), tag: 'quantity', value: unit.value }
    return {
      units: next.value === 'it' ? [quantity, { ...next, tag: 'it', value: '' }] : [quantity],
      next: at + 2,
    }
  }
  if (next?.tag === 'unit') {
    const after = units[at + 2]
    // "5 l pot" is a kind of pot; "pot, 5 l" and "in 5 l" say which size of it.
    const isAfter =
      /^(?:l|lit(?:er|re|ers|res|ros?)|リットル|ml|cl|cm|センチ)$/iu.test(next.text) && read.some(isName)
    const isSaidSo =
      /^(?:で|に)/u.test(after?.text ?? '') &&
      (after?.tag === 'in' || after?.value === 'choose') &&
      /^(?:cm|センチ)$/u.test(next.text)
    const isSize =
      (before?.tag === 'in' || before?.tag === 'sizeword' || asked === 'size' || isAfter || isSaidSo) &&
      !(after && isMeasure(after))
    if (!isSize) return asContent(units, at, at + 2)
    const value = `${unit.value} ${/^(?:lit|リットル)/iu.test(next.text) ? 'L' : next.text.replace('センチ', 'cm').toUpperCase()}`
    return { units: [{ ...spanOf(units, at, at + 2), tag: 'size', value }], next: at + 2 }
  }
  return bareNumber({ units, at, unit, before, asked, read })
}

type Bare = {
  readonly units: readonly Unit[]
  readonly at: number
  readonly unit: Unit
  readonly before: Unit | undefined
  readonly asked: Spoken['asked']
  readonly read: readonly Unit[]
}

function bareNumber({ units, at, unit, before, asked, read }: Bare): Found {
  const next = units[at + 1]
  const one = (tag: Tag): Found => ({ units: [{ ...unit, tag }], next: at + 1 })
  const isNameBefore =
    before !== undefined && isName(before) && before.end <= unit.start && unit.start - before.end <= 1
  // "La 2": the second of what was shown.
  const isPlace =
    asked !== 'size' && asked !== 'quantity' && /^l[ea]$/i.test(before?.text ?? '') && Number(unit.value) <= 9
  const isLed = read.at(-2)?.tag === 'for' || isMeasure(next) || next?.tag === 'color'
  if (isPlace && !isLed) return { units: [{ ...unit, tag: 'place' }], next: at + 1 }
  if (asked === 'size' && !isNameBefore && !isName(next)) return one('size')
  if (/(?:fais|chausse|mets|porte|taille) (?:du|le)$/i.test(before?.text ?? '')) return one('size')
  // "A kettle with two handles": what a thing has is counted, and not the thing.
  if (/^(?:mit|avec|con|with)$/i.test(before?.text ?? '') && isName(next) && read.some(isName))
    return one('content')
  const isSpelled = !/\d/.test(unit.text) && isName(next) && isCount(unit)
  if (isNameBefore && !isSpelled) return one('content')
  if (before?.tag === 'in' && /^\d/.test(unit.text) && !isName(next)) return one('size')
  if (next?.tag === 'in' && units[at + 2]?.tag === 'number') return asContent(units, at, at + 3)
  // "Board games for six adults" is for how many.
  if (before?.tag === 'for' && isName(next)) return one('content')
  // "34 waist", "7.5 UK".
  if (next?.tag === 'sizeword' && next.value === 'measure') return one('size')
  // "The best of the three" counts what was shown.
  if (
    (before?.tag === 'the' || /^(?:des|of|von|unter)$/i.test(before?.text ?? '')) &&
    read.some(({ tag }) => tag === 'extreme')
  )
    return one('filler')
  if (isCount(unit)) return one('quantity')
  return one('content')
}

function isName(unit: Unit | undefined): boolean {
  return unit?.tag === 'content' || unit?.tag === 'product' || unit?.tag === 'merchant'
}

function isCount(unit: Unit): boolean {
  const count = Number(unit.value)
  return Number.isInteger(count) && count >= 1 && count < 1000
}

function asContent(units: readonly Unit[], from: number, to: number): Found {
  return { units: units.slice(from, to).map((unit) => ({ ...unit, tag: 'content' })), next: to }
}

function spanOf(units: readonly Unit[], from: number, to: number) {
  const first = units[from] as Unit
  const last = units[to - 1] as Unit
  return { text: first.text, start: first.start, end: last.end }
}
