import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A slice as its `slice.ts` declares it. */
type Declared = { readonly name: string; readonly needs: readonly string[] }

/** An import from one file to another, as paths from the tree's root. */
type Import = { readonly from: string; readonly to: string }

type Found = Import & { readonly rule: keyof typeof sliceRules }

const domain = 'server/src/domain/'
const tests = /\.(?:test|testing|test-d)\.ts$/
/** What others may import of a slice. */
const meetingPlaces = ['public.ts', 'events.ts', 'reads.sql.ts', 'writes.sql.ts']

/** The rules of slices, each with what it asks for. */
export const sliceRules = {
  'slice-has-a-place': 'A folder of the domain is a slice: it has a slice.ts, whose name is its folder.',
  'slices-meet-in-public': `Of another slice, only ${meetingPlaces.join(' and ')}.`,
  'slice-needs-what-it-imports': 'A slice imports only the slices that its slice.ts names in `needs`.',
  'slice-imports-what-it-needs': 'What a slice names in `needs` and does not import it does not need.',
  'needs-have-no-cycle': 'Two slices that need each other are one slice, or three.',
} as const

/** Holds the imports of a tree against what its slices declare. */
export function checkSlices(baseDir: string, imports: readonly Import[]): Found[] {
  const slices = declaredIn(baseDir)
  const sliceOf = (path: string) => slices.find(({ name }) => path.startsWith(`${domain}${name}/`)) ?? null
  const found: Found[] = []
  const used = new Map<Declared, Set<string>>(slices.map((slice) => [slice, new Set()]))
  for (const each of imports) {
    if (!each.from.startsWith(domain) || tests.test(each.from)) continue
    const from = sliceOf(each.from)
    if (from === null) {
      found.push({ ...each, rule: 'slice-has-a-place' })
      continue
    }
    const to = sliceOf(each.to)
    if (to === null || to === from) continue
    used.get(from)?.add(to.name)
    if (!meetingPlaces.includes(each.to.slice(`${domain}${to.name}/`.length)))
      found.push({ ...each, rule: 'slices-meet-in-public' })
    if (!from.needs.includes(to.name)) found.push({ ...each, rule: 'slice-needs-what-it-imports' })
  }
  for (const [{ name, needs }, names] of used) {
    const from = `${domain}${name}/slice.ts`
    for (const need of needs)
      if (!names.has(need)) found.push({ from, to: need, rule: 'slice-imports-what-it-needs' })
    if (allNeeds(slices, name).has(name)) found.push({ from, to: name, rule: 'needs-have-no-cycle' })
  }
  return found
}

/** Read as text: a tree that a test plants is held against the rules without being run. */
function declaredIn(baseDir: string): Declared[] {
  return globSync(`${domain}**/slice.ts`, { cwd: baseDir }).map((path) => {
    const name = dirname(path).slice(domain.length)
    const text = readFileSync(join(baseDir, path), 'utf8')
    const declared = /\bname: '([^']+)'/.exec(text)?.[1]
    if (declared !== name)
      throw new Error(`${path} declares the slice "${declared}", and its folder is ${name}`)
    const listed = /\bneeds: \[([^\]]*)\]/.exec(text)?.[1] ?? ''
    return { name, needs: [...listed.matchAll(/'([^']+)'/g)].map(([, need]) => need ?? '') }
  })
}

/** What a slice needs, and what that needs, and so on. */
function allNeeds(slices: readonly Declared[], name: string): ReadonlySet<string> {
  const all = new Set(slices.find((slice) => slice.name === name)?.needs)
  for (const need of all)
    for (const next of slices.find((slice) => slice.name === need)?.needs ?? []) all.add(next)
  return all
}
