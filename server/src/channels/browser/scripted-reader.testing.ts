import type { PageReader, ReaderElement, ReaderPage } from './page-reader.ts'

/** A reader of a test: it answers what its script says of each page, and remembers what it was shown. */
export function scriptedReader(script: (page: ReaderPage, count: number) => unknown): PageReader & {
  readonly seen: ReaderPage[]
} {
  const seen: ReaderPage[] = []
  return {
    seen,
    async move(page) {
      seen.push(page)
      return script(page, seen.length)
    },
  }
}

/** The element that is called so. */
export function elementCalled({ elements }: ReaderPage, name: RegExp): ReaderElement | undefined {
  return elements.find((one) => name.test(one.name))
}
