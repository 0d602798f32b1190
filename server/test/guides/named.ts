import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { operations } from '../../src/composition.ts'
import { settingsTable } from '../../src/platform/config/settings-table.ts'
import { steps } from '../gate/steps.ts'
import { gateSuites } from '../suites/list.ts'
import { missingChecks, sandboxOptions } from './named-checks.ts'

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const scripts: string[] = Object.keys(JSON.parse(textOf('package.json')).scripts)

/** What a page names and nobody has. */
export function missingIn(page: string, text: string, program: Command): string[] {
  const missing = new Set([
    ...missingPaths(text),
    ...missingLinks(page, text),
    ...missingScripts(text),
    ...missingCommands(text, program),
    ...missingOptions(text, program),
    ...missingSettings(text),
    // The sandbox speaks other people's interfaces.
    ...(page.startsWith('sandbox/') ? [] : missingOperations(text)),
    ...missingWords(text),
    ...missingChecks(text, program),
  ])
  return [...missing].map((what) => `${page}: ${what}`)
}

/**
 * In backticks: from the root, from `server/` or `server/src/`; or a name alone, of a test anywhere, or of a file that slices or the
 * sandbox have, or that stands in `server/src` or the tests. `NAME` stands for one, as `*` does.
 */
function missingPaths(text: string): string[] {
  const roots =
    /`((?:server|sandbox|bench|docs|\.ci|test|core|schema|protocols|contract|platform|domain|channels|rails|surfaces|cli)\/[\w./*-]*)`/g
  const named = [...text.matchAll(roots)].map(([, path]) => path ?? '')
  const alone = [...text.matchAll(/`([\w.*-]+\.ts)`/g)].map(([, name]) => name ?? '')
  const isMissing = (path: string) => {
    // What a command makes, and git ignores.
    if (path.startsWith('server/dist')) return false
    const pattern = path.replaceAll(/\bNAME\b/g, '*')
    return ['', 'server', 'server/src'].every((folder) =>
      /[*{]/.test(pattern)
        ? globSync(pattern, { cwd: join(root, folder), exclude: ['**/node_modules'] }).length === 0
        : !existsSync(join(root, folder, path)),
    )
  }
  return [
    ...named.filter(isMissing),
    ...alone.filter((name) =>
      isMissing(
        name.endsWith('.test.ts')
          ? `**/${name}`
          : `{.,sandbox/src/**,server/{src,src/domain/**,test/**}}/${name}`,
      ),
    ),
  ]
}

/** `[text](file#heading)`, as seen from the page. */
function missingLinks(page: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      if (/^https?:/.test(target)) return false
      const [file = '', heading] = target.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      if (file !== '' && !existsSync(join(root, path))) return true
      return heading !== undefined && !headingsOf(file === '' ? text : textOf(path)).includes(heading)
    })
}

function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

function missingScripts(text: string): string[] {
  const run = [...text.matchAll(/\bnpm run ([a-z]+)/g)].filter(([, name]) => !scripts.includes(name ?? ''))
  const chosen = [...text.matchAll(/\bnpm test -- --only ([a-z,-]+)/g)]
    .flatMap(([, names]) => names?.split(',') ?? [])
    .filter((name) => name !== 'suites' && !steps.some((step) => step.name === name))
    .map((name) => [`step ${name}`])
  const others = ['long', 'document', 'NAME']
  const suites = [...text.matchAll(/\bnpm run suite -- ([\w-]+)/g)].filter(
    ([, name]) => !others.includes(name ?? '') && !gateSuites.some((suite) => suite.name === name),
  )
  return [...run, ...chosen, ...suites].map(([whole]) => whole ?? '')
}

/** Where the program is called, its first word is a command. In prose the product is a word like others. */
function missingCommands(text: string, program: Command): string[] {
  return [...text.matchAll(/(?:\.\/|`)prokura ([a-z][a-z-]*)/g)]
    .filter(([, name]) => !program.commands.some((command) => command.name() === name))
    .map(([whole]) => whole)
}

/** `prokura keys create --preset`: the command, and each option that it is given. */
function missingOptions(text: string, program: Command): string[] {
  return [...text.matchAll(/\bprokura ((?:[a-z][a-z-]*)(?: (?:--)?[a-zA-Z][\w-]*)*)/g)].flatMap(
    ([whole, words]) => {
      let at = program
      const missing: string[] = []
      for (const word of words?.split(' ') ?? []) {
        const declared = [...at.options, ...program.options].flatMap(({ long }) => long ?? [])
        const known = at.name() === 'sandbox' ? [...declared, ...sandboxOptions()] : declared
        if (word.startsWith('--')) {
          if (word !== '--help' && !known.includes(word)) missing.push(`${word} in "${whole}"`)
          continue
        }
        at = at.commands.find((each) => each.name() === word) ?? at
      }
      return at === program ? [] : missing
    },
  )
}

function missingSettings(text: string): string[] {
  return [...text.matchAll(/\b(?:PROKURA|DATABASE)(?:_[A-Z]+)+\b/g)]
    .map(([name]) => name)
    .filter((name) => !(name in settingsTable))
}

/** By id, and by method and path, in which `{id}`, `$ID` and `…` stand for anything. */
function missingOperations(text: string): string[] {
  const ids = [...text.matchAll(/\bv1(?:_[a-z]+)+\b/g)]
    .map(([id]) => id)
    .filter((id) => !operations.some((operation) => operation.id === id))
  const calls = [...text.matchAll(/\b(GET|POST|DELETE) '?"?(\/v1\/[^\s`"'?,;)]*)/g)]
    .filter(([, method, path = '']) => !path.includes('*') && !hasRoute(String(method), path))
    .map(([whole]) => whole)
  return [...ids, ...calls]
}

function hasRoute(method: string, path: string): boolean {
  const [, before = path, isCut] = /^(.*?)\/?(\$\(.*)?$/.exec(path) ?? []
  const named = before.split('/')
  return operations.some((operation) => {
    const route = operation.path.split('/')
    if (operation.method !== method) return false
    // After `$(` anything may follow.
    if (isCut === undefined ? route.length !== named.length : route.length <= named.length) return false
    return named.every(
      (part, at) => part === route[at] || (/^[${…]/.test(part) && /^[{:]/.test(route[at] ?? '')),
    )
  })
}

/** Settings of other programs, which the sources do not name. */
const foreignWords: ReadonlySet<string> = new Set(['pool_mode', 'ignore_startup_parameters'])

/** Words of the interface, in backticks: fields, codes, states, metrics, limits. Each stands somewhere in the sources. */
function missingWords(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return (
    [...prose.matchAll(/`([^`\n]+)`/g)]
      .flatMap(
        ([, span = '']) =>
          span.match(/(?<![\w./:-])[a-z][a-z0-9]*(?:[_.][a-z][a-z0-9]*)*_[a-z0-9]+(?![\w/-])/g) ?? [],
      )
      .flatMap((word) => word.split('.'))
      // Most metrics are named in the sources without the product's name.
      .map((word) => word.replace(/^prokura_/, ''))
      .filter((word) => word.includes('_') && !foreignWords.has(word) && !sourceWords().has(word))
  )
}

let found: ReadonlySet<string> | null = null

function sourceWords(): ReadonlySet<string> {
  const patterns = [
    '{server,sandbox,bench,elements/*}/src/**/*.ts',
    'server/test/peer/**/*.ts',
    'server/migrations/*.sql',
    'server/openapi.json',
    'docs/guide.sh',
  ]
  found ??= new Set(
    globSync(patterns, { cwd: root, exclude: ['**/node_modules'] }).flatMap(
      (path) =>
        textOf(path)
          .match(/[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+/g)
          ?.map((word) => word.replace(/^prokura_/, '')) ?? [],
    ),
  )
  return found
}
