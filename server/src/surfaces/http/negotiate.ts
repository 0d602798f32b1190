/** What a caller accepts, by RFC 9110 section 12: the one place that reads `Accept` and `Accept-Encoding`. */
type Range = { name: string; weight: number; place: number }

/**
 * The media type to answer in; null: the caller accepts none of them. `offers` are in our order of preference. The caller's weights
 * decide first. Among types of one weight, a type that is named comes before one that a wildcard covers, then the one that is named
 * first.
 */
export function acceptedType<T extends string>(offers: readonly T[], accept: string | undefined): T | null {
  const ranges = rangesOf(accept ?? '')
  if (ranges.length === 0) return offers[0] ?? null
  let best: { offer: T; of: Range } | null = null
  for (const offer of offers) {
    const of = rangeOf(offer, ranges)
    if (of && of.weight > 0 && (best === null || isBetter(of, best.of))) best = { offer, of }
  }
  return best?.offer ?? null
}

/**
 * Whether the header itself says that the caller accepts this type. A header that is missing or empty says nothing here, while
 * `acceptedType` reads it as accepting all.
 */
export function saysThatItTakes(type: string, accept: string | undefined): boolean {
  return (rangeOf(type, rangesOf(accept ?? ''))?.weight ?? 0) > 0
}

/** A type's weight is that of the narrowest range it lies in. */
function rangeOf(type: string, ranges: readonly Range[]): Range | undefined {
  const names = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']
  return names.flatMap((name) => ranges.find((range) => range.name === name) ?? [])[0]
}

function isBetter(one: Range, other: Range): boolean {
  if (one.weight !== other.weight) return one.weight > other.weight
  const narrowness = breadth(other) - breadth(one)
  if (narrowness !== 0) return narrowness > 0
  // Two types that one wildcard covers have one place, and keep our order.
  return one.place < other.place
}

function breadth({ name }: Range): number {
  if (name === '*/*') return 2
  return name.endsWith('/*') ? 1 : 0
}

export type Coding = 'br' | 'gzip' | 'identity'

/**
 * The coding that the client prefers among those offered; of equally preferred ones the last in the list, because smaller ones come last.
 * A client that refuses every coding gets the plain bytes.
 */
export function bestCoding(accept: string | undefined, offers: readonly Coding[]): Coding {
  if (accept === undefined) return 'identity'
  const weights = new Map<string, number>()
  for (const { name, weight } of rangesOf(accept)) weights.set(name === 'x-gzip' ? 'gzip' : name, weight)
  const any = weights.get('*') ?? 0
  const weightOf = (coding: Coding) =>
    // Plain bytes are always acceptable, but never preferred to a coding that was asked for.
    weights.get(coding) ?? (coding === 'identity' ? Math.max(any, 0.001) : any)
  return offers.reduce<Coding>((best, coding) => {
    const weight = weightOf(coding)
    return weight > 0 && weight >= weightOf(best) ? coding : best
  }, 'identity')
}

function rangesOf(header: string): Range[] {
  return header
    .toLowerCase()
    .split(',')
    .flatMap((part, place) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      return name === '' ? [] : [{ name, weight: weightIn(parameters), place }]
    })
}

/** An invalid weight counts as a refusal: the caller meant something by it, and not full preference. */
function weightIn(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (q === undefined) return 1
  const weight = Number(q.slice(q.indexOf('=') + 1))
  return weight >= 0 && weight <= 1 ? weight : 0
}
