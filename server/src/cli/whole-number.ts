import { InvalidArgumentError } from 'commander'

/** Reads an option that is a whole number; anything else is refused before the command starts anything. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

export const portNumber = wholeNumber(0, 65_535)
