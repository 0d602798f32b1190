import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

/** A file of the product: what runs, not what tests it. Paths begin at `server/src/`. */
export type Module = { path: string; text: string; imports: readonly string[] }

/** From room to room, or from slice to slice, and how many imports say so. */
export type Arrow = { from: string; to: string; imports: number }

/** The room of the files that stand in `server/src` itself. */
const together = 'server/src/*.ts'

export function readModules(root: string): Module[] {
  const source = join(root, 'server/src')
  const paths = globSync('**/*.ts', { cwd: source, exclude: ['**/node_modules'] })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.(?:test|test-d|testing)\.ts$/.test(path))
    .sort()
  // A picture of nothing would be up to date forever.
  if (paths.length === 0) throw new Error(`there is no TypeScript in ${source}`)
  return paths.map((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    const imports = ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(dirname(path), name))
      // Types of a package beside the sources, say.
      .filter((target) => !target.startsWith('..'))
    return { path, text, imports }
  })
}

/** `main.ts` is where the command line begins. */
export function roomOf(path: string): string {
  if (path === 'main.ts') return 'cli'
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : together
}

/** A slice is the outermost folder of the domain that has files of its own: `policies`, `trade/orders`. */
export function sliceOf(modules: readonly Module[]): (path: string) => string | null {
  const folders = new Set(modules.map(({ path }) => dirname(path)))
  return (path) => {
    const parts = dirname(path).split('/')
    if (parts[0] !== 'domain') return null
    for (let length = 2; length <= parts.length; length++) {
      if (folders.has(parts.slice(0, length).join('/'))) return parts.slice(1, length).join('/')
    }
    return null
  }
}

/** The arrows between places, in the order of their names. What has no place draws none. */
export function arrowsBetween(modules: readonly Module[], placeOf: (path: string) => string | null): Arrow[] {
  const counts = new Map<string, Arrow>()
  for (const { path, imports } of modules) {
    for (const target of imports) {
      const [from, to] = [placeOf(path), placeOf(target)]
      if (from === null || to === null || from === to) continue
      const arrow = counts.get(`${from} ${to}`) ?? { from, to, imports: 0 }
      arrow.imports += 1
      counts.set(`${from} ${to}`, arrow)
    }
  }
  return [...counts.values()].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
}

/** Without the arrows that follow from others: with `a → b` and `b → c`, `a → c` says nothing new. */
export function withoutShortcuts(arrows: readonly Arrow[]): Arrow[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to])
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (next.get(from) ?? []).some((each) => {
      if (each === to) return true
      if (seen.has(each)) return false
      seen.add(each)
      return reaches(each, to, seen)
    })
  return arrows.filter(
    ({ from, to }) =>
      // In a circle every arrow is kept: it is what a reader must see.
      !(next.get(from) ?? []).some((by) => by !== to && reaches(by, to) && !reaches(by, from)) ||
      reaches(to, from),
  )
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
