import type { PageSnapshot } from '../reading/page-snapshot.ts'

/** What a page says that it did not say before: its answer to what was done, in whatever language. */
export function newLines(before: PageSnapshot, after: PageSnapshot): string[] {
  const known = new Set(before.text.split('\n'))
  return after.text
    .split('\n')
    .filter((line) => !known.has(line) && line.length <= 300 && /\p{L}{2}/u.test(line))
}
