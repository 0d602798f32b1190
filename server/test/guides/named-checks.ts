import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { product } from '../../src/composition.ts'
import { ruleNames as directionRules } from '../direction.ts'
import { steps } from '../gate/steps.ts'
import { rules as tidyRules } from '../tidy.ts'

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** What a page names of how the repository checks and measures itself, and of the code by its functions, and nobody has. */
export function missingChecks(text: string, program: Command): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [
    ...namesAfter(prose, 'rules?').filter((name) => !ruleNames.has(name)),
    ...namesAfter(prose, '[Ss]teps?').filter((name) => !steps.some((step) => step.name === name)),
    ...missingSuites(prose, program),
    ...missingBenchmarks(text),
    ...missingFlags(text, prose, program),
    ...missingFunctions(text),
    ...missingMigrations(prose),
    ...missingScopes(prose),
    ...missingCompounds(prose),
    ...missingNames(prose),
  ]
}

const ruleNames: ReadonlySet<string> = new Set([...directionRules, ...tidyRules.map(({ name }) => name)])

/** The program of suites runs when it is loaded, so its table is read as text. */
const suiteNames: ReadonlySet<string> = new Set(
  [...textOf('server/test/suites/main.ts').matchAll(/^ {2}'?([a-z-]+)'?: \{$/gm)].map(
    ([, name = '']) => name,
  ),
)

/** The rule `a`, the rules `a`, `b` and `c`. */
function namesAfter(prose: string, word: string): string[] {
  const lists = new RegExp(String.raw`\b${word} ((?:\x60[a-z-]+\x60(?:, | and | or )?)+)`, 'g')
  return [...prose.matchAll(lists)].flatMap(([, list = '']) => spansIn(list))
}

function spansIn(text: string): string[] {
  return [...text.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name)
}

/** By its kind, and in a table's column "shown by", where the commands of the program stand, too. */
function missingSuites(prose: string, program: Command): string[] {
  const before = [...prose.matchAll(/`([a-z-]+)` suite\b/g)].map(([, name = '']) => name)
  const named = [...namesAfter(prose, 'suites?'), ...before]
  const [, table = ''] = prose.split(/^\|.*\| shown by \|$/m)
  const shown = (table.split(/\n\n/)[0] ?? '').split('\n').flatMap((row) => {
    return spansIn(row.split('|').at(-2) ?? '')
  })
  const commands = program.commands.map((command) => command.name())
  return [
    ...named.filter((name) => !suiteNames.has(name)),
    ...shown.filter((name) => !suiteNames.has(name) && !commands.includes(name)),
  ]
}

function missingBenchmarks(text: string): string[] {
  const files = globSync('bench/src/benchmarks/*.ts', { cwd: root }).map((path) => path.split(/[\\/]/).at(-1))
  return [...text.matchAll(/\bnpm run bench -- ((?:[a-z]+ ?)+)/g)]
    .flatMap(([, names = '']) => names.trim().split(' '))
    .filter((name) => !['all', 'document'].includes(name) && !files.includes(`${name}.ts`))
}

/** Where each script of package.json reads its options. */
const readers: Readonly<Record<string, string>> = {
  test: 'server/test/gate.ts',
  check: 'server/test/gate.ts',
  suite: 'server/test/suites/command-line.ts',
  bench: 'bench/src/command-line.ts',
  peer: 'server/test/peer/command-line.ts',
  architecture: 'server/test/architecture.ts',
}

/** Scripts that are a command of the program by another name. */
const commands: Readonly<Record<string, string>> = { demo: 'demo', start: 'up' }

/** Behind a script the script's own; alone in backticks those of any script or command. */
function missingFlags(text: string, prose: string, program: Command): string[] {
  const ofScripts = [...text.matchAll(/\bnpm (?:run )?([a-z]+) -- ([^`\n|]*)/g)].flatMap(
    ([, script = '', rest = '']) =>
      flagsIn(rest).filter(
        (flag) => ![...optionsOf(script), ...optionsOfCommand(commands[script], program)].includes(flag),
      ),
  )
  const known = [...Object.keys(readers).flatMap(optionsOf), ...sandboxOptions(), ...optionsBelow(program)]
  const alone = [...prose.matchAll(/`(--[a-z][^`\n]*)`/g)]
    .flatMap(([, span = '']) => flagsIn(span))
    .filter((flag) => !known.includes(flag))
  return [...ofScripts, ...alone]
}

function flagsIn(text: string): string[] {
  return text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []
}

function optionsOf(script: string): string[] {
  const path = readers[script]
  return ['--help', ...(path ? optionsIn(path) : [])]
}

function optionsOfCommand(name: string | undefined, program: Command): string[] {
  return program.commands.filter((command) => command.name() === name).flatMap(optionsBelow)
}

/** The sandbox reads its own, also where the program starts it. */
export function sandboxOptions(): string[] {
  return ['sandbox/src/options.ts', 'sandbox/src/ucp-suite/options.ts'].flatMap(optionsIn)
}

/** The options that a file reads with `parseArgs`. */
function optionsIn(path: string): string[] {
  const options = textOf(path).matchAll(/'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/g)
  return [...options].map(([, name]) => `--${name}`)
}

function optionsBelow(command: Command): string[] {
  return [
    ...command.options.flatMap(({ long }) => long ?? []),
    ...command.commands.flatMap((each) => optionsBelow(each)),
  ]
}

/** `name` in `path.ts`: the file declares it. */
function missingFunctions(text: string): string[] {
  return [...text.matchAll(/`(\w+)` in\s+`([\w./-]+\.ts)`/g)]
    .filter(([, name = '', path = '']) => {
      const found = [path, `server/${path}`, `server/src/${path}`].flatMap((each) =>
        globSync(each, { cwd: root }),
      )
      const declares = new RegExp(
        String.raw`^\s*(?:export )?(?:async )?(?:function|const|class|type) ${name}\b`,
        'm',
      )
      return !found.some((each) => declares.test(textOf(each)))
    })
    .map(([whole]) => whole)
}

/** A migration that a page names is there. */
function missingMigrations(prose: string): string[] {
  return [...prose.matchAll(/`(\d{4}_[a-z0-9_]+)(?:\.sql)?`/g)]
    .filter(([, name]) => !existsSync(join(root, `server/migrations/${name}.sql`)))
    .map(([whole]) => whole)
}

function missingScopes(prose: string): string[] {
  const scopes = product.scopes.roles.owner
  const kinds = [...new Set(scopes.map((scope) => scope.split(':')[1]))].join('|')
  return [...prose.matchAll(new RegExp(String.raw`\x60([a-z_]+:(?:${kinds}))\x60`, 'g'))]
    .map(([, name = '']) => name)
    .filter((name) => !scopes.some((scope) => scope === name))
}

/** Values that other programs take, and rules that are not used. */
const foreign: ReadonlySet<string> = new Set([
  'verify-ca',
  'verify-full',
  'no-verify',
  'operation-description',
  'required-string-property-missing-min-length',
])

/** `two-words` alone in backticks: a rule, a suite, a folder, a header or a check of a tool. Each stands somewhere in our texts. */
function missingCompounds(prose: string): string[] {
  return [...prose.matchAll(/`([a-z]+(?:-[a-z0-9]+)+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !foreign.has(name) && !compounds().has(name))
}

/** `twoWords` alone in backticks, also behind a dot: a name of the code. */
function missingNames(prose: string): string[] {
  return [...prose.matchAll(/`([A-Za-z][A-Za-z.]*)`/g)]
    .flatMap(([, span = '']) => span.split('.'))
    .filter((name) => /[a-z][A-Z]/.test(name) && !names().has(name))
}

let foundNames: ReadonlySet<string> | null = null

function names(): ReadonlySet<string> {
  foundNames ??= new Set(ownTexts().flatMap((text) => text.match(/[A-Za-z]+/g) ?? []))
  return foundNames
}

let found: ReadonlySet<string> | null = null

function compounds(): ReadonlySet<string> {
  found ??= new Set([
    ...ruleNames,
    ...ownTexts().flatMap((text) => text.match(/[a-z]+(?:-[a-z0-9]+)+/g) ?? []),
  ])
  return found
}

/** Paths and texts of what is ours, but for the test that plants what is missing. */
function ownTexts(): string[] {
  const patterns = [
    '{server,sandbox,bench}/{src,test}/**/*.{ts,json,yaml}',
    'package.json',
    '.dependency-cruiser.cjs',
  ]
  const paths = globSync(patterns, { cwd: root, exclude: ['**/node_modules'] })
  const itself = join('server', 'test', 'named-in-docs.test.ts')
  return paths.filter((path) => path !== itself).map((path) => `${path}\n${textOf(path)}`)
}
