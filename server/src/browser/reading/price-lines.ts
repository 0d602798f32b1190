import { type AmountHint, type AmountSpan, amountSpans } from './money-text.ts'
import { labelRole, type PriceRole, priceRole } from './price-role.ts'
import { tokensOf } from './words/words.ts'

/** An amount near the title of a product, and what it is. */
export type PriceLine = {
  /** Null: there is an amount, and which one cannot be told. */
  readonly amount: bigint | null
  readonly currency: string | null
  readonly role: PriceRole
  readonly isMarked: boolean
  /** Written with its cents. */
  readonly hasCents: boolean
  /** A short line that nobody here knows stands right before it: what it is the price of, perhaps. */
  readonly isNamed: boolean
  /** Amounts of one number stand together, with nothing between them that is not about a price. */
  readonly block: number
}

type ShownLines = {
  readonly lines: readonly string[]
  /** What is struck through in a line, by its place in `lines`. */
  readonly struck: readonly { readonly line: number; readonly text: string }[]
  /** Words that say nothing about a price, such as those of the title. */
  readonly own: ReadonlySet<string>
}

/** Longer lines are sentences. */
const lineMax = 120

/** All amounts of some lines in order, each with what the page says it is. */
export function priceLines({ lines, struck, own }: ShownLines, hint: AmountHint): PriceLine[] {
  const found: PriceLine[] = []
  const { language } = hint
  let block = 0
  let before: PriceRole | null = null
  for (const [at, line] of lines.entries()) {
    if (line.length > lineMax) {
      block += 1
      before = null
      continue
    }
    const { text, spans: all } = amountSpans(line, hint)
    // What costs nothing is no product's price: a gift, a return, an empty cart.
    const spans = all.filter(({ isMarked, amount }) => isMarked || amount?.amount !== 0n)
    if (spans.length === 0) {
      const label = labelRole(text, language)
      const isUnder =
        label === 'other' || label === 'each' ? /^ ?[/／(（]/u.test(text) || isMeasure(text) : label === 'net'
      const last = found.at(-1)
      if (isUnder && last !== undefined && last.block === block && isBare(lines[at - 1] ?? '', hint)) {
        if (label !== null && (last.role === 'plain' || last.role === 'now'))
          found[found.length - 1] = { ...last, role: label }
        continue
      }
      if (label === null) block += 1
      before = /\d/u.test(text) ? null : label
      continue
    }
    const gone = struck.filter((one) => one.line === at).map((one) => amountSpans(one.text, hint))
    const clauses = clausesOf(text, spans)
    for (const [place, span] of spans.entries()) {
      const clause = clauses[place] ?? ''
      const said = roleOf(span, clause, { language, own, label: spans.length === 1 ? before : null })
      const isGone = gone.some(({ spans: all }) =>
        all.some(({ amount }) => amount !== null && amount.amount === span.amount?.amount),
      )
      const isTorn = span.isTorn || isSplit(lines, at)
      found.push({
        amount: isTorn ? null : (span.amount?.amount ?? null),
        currency: span.amount?.currency ?? null,
        role: isGone && said !== 'other' ? 'was' : said,
        isMarked: span.isMarked,
        hasCents: /[.,:¦٫](?:\d\d|[-–—]+)(?!\d)/u.test(text.slice(span.start, span.end)),
        isNamed: place === 0 && isName(lines[at - 1] ?? '', language, own),
        block,
      })
    }
    before = null
  }
  return found
}

function isName(line: string, language: string, own: ReadonlySet<string>): boolean {
  const words = tokensOf(line)
  const isTitle = words.every((word) => own.has(word))
  return (
    words.length > 0 &&
    words.length <= 3 &&
    !isTitle &&
    !/\d/u.test(line) &&
    labelRole(line, language) === null
  )
}

/** `per month`, `/ kg`, `100 ml`: below an amount. */
function isMeasure(text: string): boolean {
  return text.length <= 24
}

function isBare(line: string, hint: AmountHint): boolean {
  const { text, spans } = amountSpans(line, hint)
  const [only] = spans
  return (
    spans.length === 1 &&
    only !== undefined &&
    !/\p{L}/u.test(text.slice(0, only.start) + text.slice(only.end))
  )
}

/** Cents that stand in a line of their own: `24` and `99 €`, `$24` and `99`. */
function isSplit(lines: readonly string[], at: number): boolean {
  const [before = '', line = '', after = ''] = [lines[at - 1], lines[at], lines[at + 1]]
  if (/^\D{0,4}\d{1,5}[.,]?$/u.test(before.trim()) && /^\d{2}(?!\d)/u.test(line.trim())) return true
  return (
    /\d$/u.test(line.trim()) && !/[.,]\d{2}$/u.test(line.trim()) && /^[.,]?\d{2}\D{0,4}$/u.test(after.trim())
  )
}

function roleOf(
  span: AmountSpan,
  clause: string,
  { language, own, label }: { language: string; own: ReadonlySet<string>; label: PriceRole | null },
): PriceRole {
  if (span.amount !== null && span.amount.amount <= 0n) return 'other'
  const role = priceRole(clause, language, own)
  const isOpen = role === 'plain' || role === 'each'
  return isOpen && label !== null && label !== 'plain' ? label : role
}

/** The words of each amount: what stands before it, and what stands after it as far as that is not about the next. */
function clausesOf(text: string, spans: readonly AmountSpan[]): string[] {
  const gaps = [0, ...spans].map((_, index) => {
    const start = index === 0 ? 0 : (spans[index - 1]?.end ?? 0)
    return text.slice(start, spans[index]?.start ?? text.length)
  })
  const inner = gaps.map((gap, index) =>
    index === 0 || index === spans.length ? { left: gap, right: gap } : split(gap),
  )
  return spans.map((_, index) => `${inner[index]?.right ?? ''}¤${inner[index + 1]?.left ?? ''}`)
}

/** A dash or a word that joins two amounts belongs to both: it makes a range of them. */
function split(gap: string): { left: string; right: string } {
  if (/^ ?(?:[-–—~〜～]|to|bis|à|a|do|до|tot|till|til|至|から|到|og|och|e|y) ?$/iu.test(gap))
    return { left: `${gap}¤`, right: `¤${gap}` }
  // `$99.00 after $20.00 rebate`: neither is what it costs.
  if (conditions.test(gap)) return { left: gap, right: gap }
  // From what to what.
  if (/^ ?[→➔➜⇒] ?$/u.test(gap)) return { left: ' was', right: '' }
  const at = gap.search(
    /[(（[|;•·,、。，]| [-–—] | (?:or|oder|ou|o|eller|lub|of|või|или|або|veya|または|或|또는|أو|או|หรือ|hoặc|atau) /iu,
  )
  if (at >= 0) return { left: gap.slice(0, at), right: gap.slice(at) }
  const end = gap.search(/[)）\]]/u)
  if (end >= 0) return { left: gap.slice(0, end), right: gap.slice(end) }
  return /^ ?[/／x×%]|^ ?(?:per|pro|je|off|inc|incl|ex|excl|ttc|ht|brutto|netto|税込|税抜|inkl|exkl|zzgl|por|al|par|na|za|pr|each)(?!\p{L})/iu.test(
    gap,
  )
    ? { left: gap, right: '' }
    : { left: '', right: gap }
}

const conditions =
  /^ ?(?:after|with|when|if|on|using|via|nach|mit|bei|wenn|avec|après|con|tras|dopo|met|bij|com|após|po|przy|z|med|efter|ved|etter|с|после|при)(?!\p{L})/iu
