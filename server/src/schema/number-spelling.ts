/*
 * JSON has one kind of number, and a program that counts in dollars writes 49.0 for them. Read as an amount in minor units that would be
 * 49 cents, so the parser remembers how such numbers were written, and fields that hold amounts refuse them.
 */

/** By the object that holds them: its members whose numbers were written with decimals. */
const spellings = new WeakMap<object, Set<string>>()

/** Whether the number of this member was written as one that may not be in minor units. */
export function isWrittenWithDecimals(holder: unknown, name: string): boolean {
  return typeof holder === 'object' && holder !== null && spellings.get(holder)?.has(name) === true
}

/** A copy of an object, or of a part of it, remembers the same. */
export function keepSpelling<T extends object>(from: object, to: T): T {
  const names = spellings.get(from)
  if (names) spellings.set(to, names)
  return to
}

/** The value of a document that is known to be valid JSON, some numbers of which are written with a decimal point. */
export function parseSpelled<T>(text: string): T {
  return JSON.parse(text, function (this: object, name: string, value: unknown, { source = '' } = {}) {
    if (typeof value === 'number' && mayBeMajorUnits(source, value)) {
      const names = spellings.get(this)
      if (names) names.add(name)
      else spellings.set(this, new Set([name]))
    }
    return value
  })
}

/**
 * Languages that have floats alone write 4900 as 4900.0, and this much is taken: one zero after the point, and whole hundreds. 49.0 and
 * 4900.00 look like dollars.
 */
function mayBeMajorUnits(source: string, value: number): boolean {
  return /\.\d/.test(source) && !/[eE]/.test(source) && !(/\.0$/.test(source) && value % 100 === 0)
}
