type Brand = {
  readonly name: string
  /** As people know it, short enough for the field. */
  readonly title: string
  readonly pattern: RegExp
  readonly lengths: readonly number[]
  /** Where the number is divided. */
  readonly groups: readonly number[]
  readonly codeLength: number
  /** Whether its network lets agents pay with a card of it. */
  readonly isAgentic: boolean
}

const fours = [4, 4, 4, 4, 3]
const long = [16, 17, 18, 19]
const plain = { groups: fours, codeLength: 3, isAgentic: false } as const

const brands: readonly Brand[] = [
  { ...plain, name: 'visa', title: 'Visa', pattern: /^4/, lengths: [13, 16, 19], isAgentic: true },
  {
    ...plain,
    name: 'mastercard',
    title: 'Mastercard',
    pattern: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    isAgentic: true,
  },
  {
    ...plain,
    name: 'amex',
    title: 'Amex',
    pattern: /^3[47]/,
    lengths: [15],
    groups: [4, 6, 5],
    codeLength: 4,
  },
  { ...plain, name: 'discover', title: 'Discover', pattern: /^(?:6011|64[4-9]|65)/, lengths: long },
  {
    ...plain,
    name: 'diners',
    title: 'Diners Club',
    pattern: /^(?:30[0-5]|3[689])/,
    lengths: [14, 15, 16, 17, 18, 19],
    groups: [4, 6, 4, 5],
  },
  { ...plain, name: 'jcb', title: 'JCB', pattern: /^35(?:2[89]|[3-8])/, lengths: long },
  { ...plain, name: 'unionpay', title: 'UnionPay', pattern: /^62/, lengths: long },
]

/** Of a number that is still being typed too; null while it could be any. */
export function brandOf(digits: string): Brand | null {
  return brands.find(({ pattern }) => pattern.test(digits)) ?? null
}

/** As people know it, of a name that the server says. */
export function brandTitle(name: string): string {
  return brands.find((brand) => brand.name === name)?.title ?? name
}

/** Of a brand that the server says. */
export function codeLengthOf(name: string): number {
  return brands.find((brand) => brand.name === name)?.codeLength ?? 3
}
