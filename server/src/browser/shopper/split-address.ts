/** Given names, and the last of a name. A name of one word is both: forms ask for both. */
export function splitName(name: string): { first: string; last: string } {
  const words = name.trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  return { first: words.length > 1 ? words.slice(0, -1).join(' ') : last, last }
}

/** Street and number of the house: `Rosenweg 12a`, `12 Analytical Way`, `12, rue de la Paix`. Without a number all of it is the street. */
export function splitStreet(line: string): { street: string; number: string } {
  const text = line.trim()
  const behind = /^(?<street>.*\D)\s+(?<number>\d+\s?\p{L}?(?:\s?[-/]\s?\d+\s?\p{L}?)*)$/u.exec(text)?.groups
  if (behind !== undefined) return { street: trimmed(behind.street), number: (behind.number ?? '').trim() }
  const before = /^(?<number>\d+\p{L}?(?:[-/]\d+\p{L}?)*),?\s+(?<street>\D.*)$/u.exec(text)?.groups
  if (before !== undefined) return { street: trimmed(before.street), number: before.number ?? '' }
  return { street: text, number: '' }
}

function trimmed(text = ''): string {
  return text.replace(/,\s*$/, '').trim()
}
