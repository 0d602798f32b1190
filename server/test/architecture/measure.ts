import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { everyNode } from '../tidy/rule.ts'
import { repositoryFiles } from '../tidy.ts'
import { measuring, witness } from '../workspaces.ts'
import { type Arrow, arrowsBetween, compare, type Module, readModules, roomOf, sliceOf } from './imports.ts'
import { walk } from './walk.ts'

/** The slices that a cart is carried out in. */
const cartRooms = ['execution', 'native', 'rail-movements', 'rails']

/** A figure, and what it is of: a row of a table. */
type Figure = readonly [what: string, figure: string]

/** What the body of a buyer's `cart.succeeded` passes, from the change to the bytes that are sent: language, file, function. */
export const bodyStops = [
  'TypeScript domain/buying/intents/change-intent.ts changeIntent',
  'TypeScript domain/buying/intents/read/render-intent.ts renderIntent',
  'TypeScript domain/buying/intents/change-intent.ts withCartAlone',
  'TypeScript platform/calls/unit.ts commitWith',
  'TypeScript platform/events/append-events.ts freezeEvents',
  'TypeScript platform/events/append-events.ts freezeEvent',
  'TypeScript platform/events/append-events.ts insertEvents',
  'SQL domain/webhooks/destinations/delivery-work.sql.ts claimDeliveries',
  'TypeScript domain/webhooks/destinations/delivery-body.ts bodyOf',
  'TypeScript platform/events/event-body.ts buyerBody',
  'TypeScript domain/buying/intents/events.ts cartData',
  'TypeScript platform/events/event-body.ts bodyAround',
  'TypeScript domain/webhooks/destinations/attempt.ts attempt',
  'TypeScript domain/webhooks/destinations/attempt.ts requestOf',
  'TypeScript platform/signatures/webhook-signature.ts signWebhook',
]

/** Where a purchase's customer is passed on. */
const buying = ['domain/buying', 'channels', 'rails']

/** The figures of the tree below `root`, as rows of a table: it reads sources, and runs nothing. */
export function measure(root: string): Figure[] {
  const modules = readModules(root)
  const program = programOf(root, modules)
  return [
    ...weights(root),
    ...sizes(modules),
    ...arrows(modules),
    ...exportedNames(root, program, modules),
    ...cartsWalk(root, program),
    ...profilesWalk(modules),
    bodysWalk(modules),
  ]
}

export function tableOf(figures: readonly Figure[]): string {
  return ['| what | figure |', '| --- | --- |', ...figures.map((cells) => `| ${cells.join(' | ')} |`)].join(
    '\n',
  )
}

const written = /\.(?:tsx?|js|mjs|cjs|sql|css|html|sh)$/
const ofTests = new RegExp(`\\.test\\.ts$|^[^/]+/(?:test|build)/|^${measuring}/|^[^/]+$`)

/** Lines as the formatter leaves them, of what people write: no documents, no fixtures in other forms, nothing generated. */
function weights(root: string): Figure[] {
  const all = repositoryFiles(root)
  const [tests = [], product = []] = [true, false].map((isOfTests) =>
    all.filter((path) => written.test(path) && ofTests.test(path) === isOfTests),
  )
  const lines = (paths: readonly string[]) =>
    count(paths.reduce((sum, path) => sum + breaksIn(readFileSync(join(root, path), 'utf8')), 0))
  const outside = product.filter((path) => path.startsWith(`${witness}/`))
  return [
    ['tracked files', count(all.length)],
    ['lines of the product', `${lines(product)}, ${lines(outside)} of them the sandbox`],
    ['lines of tests and machinery', lines(tests)],
  ]
}

function programOf(root: string, modules: readonly Module[]): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  return ts.createProgram(
    modules.map(({ path }) => join(root, 'server/src', path)),
    { ...options, incremental: false },
  )
}

const breaksIn = (text: string) => text.split('\n').length - 1
const linesOf = (modules: readonly Module[]) => modules.reduce((sum, { text }) => sum + breaksIn(text), 0)

function sizes(modules: readonly Module[]): Figure[] {
  const slice = sliceOf(modules)
  const places = Map.groupBy(modules, ({ path }) => slice(path) ?? roomOf(path))
  const largest = [...places].sort(([, a], [, b]) => b.length - a.length).slice(0, 4)
  return [
    ['files of `server/src`', count(modules.length)],
    ['lines of `server/src`', count(linesOf(modules))],
    ...largest.map(
      ([name, files], at): Figure => [
        `largest slice or room, ${at + 1}`,
        `\`${name}\`: ${files.length} files, ${count(linesOf(files))} lines`,
      ],
    ),
  ]
}

function arrows(modules: readonly Module[]): Figure[] {
  const slice = sliceOf(modules)
  const said = (found: readonly Arrow[]) =>
    `${found.length} arrows, ${count(found.reduce((sum, { imports }) => sum + imports, 0))} imports`
  const rooms = new Set(modules.map(({ path }) => roomOf(path)))
  const slices = new Set(modules.flatMap(({ path }) => slice(path) ?? []))
  return [
    ['rooms', `${rooms.size}, ${said(arrowsBetween(modules, roomOf))}`],
    ['slices', `${slices.size}, ${said(arrowsBetween(modules, slice))}`],
  ]
}

function exportedNames(root: string, program: ts.Program, modules: readonly Module[]): Figure[] {
  const checker = program.getTypeChecker()
  const slices = modules
    .filter(({ path }) => path.startsWith('domain/') && path.endsWith('/public.ts'))
    .map(({ path }) => {
      const file = program.getSourceFile(join(root, 'server/src', path))
      const symbol = file && checker.getSymbolAtLocation(file)
      const names = symbol ? checker.getExportsOfModule(symbol) : []
      return { slice: path.slice('domain/'.length, -'/public.ts'.length), names }
    })
    .sort((a, b) => b.names.length - a.names.length || compare(a.slice, b.slice))
  const all = slices.flatMap(({ names }) => names)
  const declared = all.map((name) =>
    name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name,
  )
  const statements = declared.filter((name) =>
    name.declarations?.some((each) => each.getSourceFile().fileName.endsWith('.sql.ts')),
  )
  const rows = all.filter(({ name }) => name.endsWith('Row'))
  const most = slices.slice(0, 3).map(({ slice, names }) => `\`${slice}\` ${names.length}`)
  return [
    ['names in the `public.ts` of all slices', `${all.length}; most: ${most.join(', ')}`],
    ['of them from a `*.sql.ts`, and named `…Row`', `${statements.length} and ${rows.length}`],
  ]
}

function cartsWalk(root: string, program: ts.Program): Figure[] {
  const folder = join(root, 'server/src/domain/buying')
  const start = { path: join(folder, 'execution/run-cart.ts'), name: 'runCart', parameter: 'row' }
  const { stays, calls, functions } = walk(program, start, (path) =>
    cartRooms.some((room) => path.startsWith(join(folder, room, '/'))),
  )
  const visits = [...Map.groupBy(stays, (path) => path)]
    .map(([path, each]) => ({ file: path.slice(folder.length + 1), times: each.length }))
    .sort((a, b) => b.times - a.times || compare(a.file, b.file))
  return [
    [
      'a claimed cart: calls, functions, files',
      `${calls} calls of ${functions} functions in ${visits.length} files`,
    ],
    [
      'its stays, and its returns to a file that it had left',
      `${stays.length} stays, ${stays.length - visits.length} returns`,
    ],
    [
      'most visited',
      visits
        .slice(0, 3)
        .map(({ file, times }) => `${file} ${times}`)
        .join(', '),
    ],
  ]
}

/** The innermost functions that name the profile by its id, on the way of a purchase. */
function profilesWalk(modules: readonly Module[]): Figure[] {
  const functions = new Set<string>()
  const files = new Set<string>()
  for (const { path, text } of modules) {
    if (!buying.some((folder) => path.startsWith(`${folder}/`))) continue
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    for (const node of everyNode(tree)) {
      if (!ts.isIdentifier(node) || !/^profile_?id$/i.test(node.text)) continue
      files.add(path)
      const inside = ts.findAncestor(node, (each) => ts.isFunctionLike(each) && 'body' in each && !!each.body)
      if (inside) functions.add(`${path}:${inside.pos}`)
    }
  }
  return [["a purchase's `profile_id`", `${functions.size} functions, ${files.size} files name it`]]
}

function bodysWalk(modules: readonly Module[]): Figure {
  const missing = missingStops(bodyStops, modules)
  if (missing.length > 0)
    throw new Error(`bodyStops of measure.ts names what is not there: ${missing.join(', ')}`)
  const parts = bodyStops.map((stop) => stop.split(' '))
  const files = new Set(parts.map(([, path]) => path))
  const inSql = parts.filter(([language]) => language === 'SQL').length
  return ['the body of a webhook', `${parts.length} functions, ${inSql} of them SQL, in ${files.size} files`]
}

/** The stops whose file has no such function or statement. */
export function missingStops(stops: readonly string[], modules: readonly Module[]): string[] {
  return stops.filter((stop) => {
    const [, path = '', name = ''] = stop.split(' ')
    const text = modules.find((module) => module.path === path)?.text ?? ''
    return !new RegExp(`^ *(?:export )?(?:async )?(?:function|const) ${name}\\b`, 'm').test(text)
  })
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
