import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { product } from '../src/composition.ts'
import { everyNode, isServerSource, sourceFile } from './tidy/rule.ts'

const root = resolve(import.meta.dirname, '../..')

type Declared = ReadonlyMap<string, { readonly isReserved?: true }>

/** What slices declare and nothing uses; and what is said to be reserved, and is used. */
function misdeclared(declared: Declared, isUsed: (name: string) => boolean): string[] {
  return [...declared].flatMap(([name, { isReserved }]) => {
    if (isUsed(name)) return isReserved ? [`${name} is used: it is not reserved any more`] : []
    return isReserved ? [] : [`${name} is declared, and nothing uses it`]
  })
}

/** Where names are declared, not used. */
const declaring = /\/(?:problems|problem-codes|platform-ids)\.ts$/

/** Every string of the server's code, but in lists of what an operation may refuse with: naming a code there refuses nothing. */
function wordsOf(files: readonly (readonly [path: string, text: string])[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(([path, text]) =>
      [...everyNode(sourceFile(path, text).tree())]
        .filter(ts.isStringLiteralLike)
        .filter((node) => !isListedProblem(node) && !isDeclared(node))
        .map((node) => node.text),
    ),
  )
}

function isListedProblem({ parent: list }: ts.Node): boolean {
  if (!ts.isArrayLiteralExpression(list)) return false
  const { parent } = list
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'problems'
  return ts.isVariableDeclaration(parent) && /\bProblemCode\[\]/.test(parent.type?.getText() ?? '')
}

/** As a name of what a slice declares. */
function isDeclared(node: ts.Node): boolean {
  const call = ts.findAncestor(node, ts.isCallExpression)
  return call !== undefined && /^define(?:Scopes|Ids)$/.test(call.expression.getText())
}

const idMakers: ReadonlySet<string> = new Set(['newId', 'derivedId', 'hashedPartId'])

/** The prefixes with which ids are made. */
function prefixesOf(files: readonly (readonly [path: string, text: string])[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(([path, text]) =>
      [...everyNode(sourceFile(path, text).tree())]
        .filter(ts.isCallExpression)
        .filter(({ expression }) => idMakers.has(expression.getText().split('.').at(-1) ?? ''))
        .flatMap((call) => call.arguments.filter(ts.isStringLiteralLike).map((argument) => argument.text)),
    ),
  )
}

const sources = globSync('server/src/**/*.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => isServerSource(path) && !declaring.test(path))
const texts = sources.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
const words = wordsOf(texts)
const prefixes = prefixesOf(texts)
const tagsOfOperations = new Set([...product.operations, ...product.documents].map(({ tag }) => tag))

test('every problem code that is declared is used to refuse something, or is reserved', () => {
  expect(product.problems.size).toBeGreaterThan(50)
  expect(misdeclared(product.problems, (code) => words.has(code))).toEqual([])
})

test('every scope that is declared is asked for, or is reserved', () => {
  expect(product.scopes.facts.size).toBeGreaterThan(20)
  expect(misdeclared(product.scopes.facts, (scope) => words.has(scope))).toEqual([])
})

test('ids are made with every prefix that is declared, or it is reserved', () => {
  expect(product.ids.size).toBeGreaterThan(20)
  expect(misdeclared(product.ids, (prefix) => prefixes.has(prefix))).toEqual([])
})

test('every group of operations is declared and has operations', () => {
  expect([...product.tags.keys()].sort()).toEqual([...tagsOfOperations].sort())
})

test('what nothing uses is found, and what is reserved and used', () => {
  const used = wordsOf([
    ['server/src/a.ts', `throw new Problem('thrown')`],
    [
      'server/src/b.ts',
      `defineOperation({ problems: ['listed'], scope: 'toys:read', conflicts: { a: 'meant' } })`,
    ],
    ['server/src/slice.ts', `const scopes = defineScopes({ 'toys:write': {} })`],
    ['server/src/c.ts', `const more: readonly ProblemCode[] = ['listed_elsewhere']\n// 'said'`],
  ])
  const declared: Declared = new Map([
    ...['thrown', 'meant', 'toys:read', 'listed', 'listed_elsewhere', 'said', 'toys:write'].map(
      (name) => [name, {}] as const,
    ),
    ['kept', { isReserved: true }],
  ])
  expect(misdeclared(declared, (name) => used.has(name))).toEqual([
    'listed is declared, and nothing uses it',
    'listed_elsewhere is declared, and nothing uses it',
    'said is declared, and nothing uses it',
    'toys:write is declared, and nothing uses it',
  ])
  expect(misdeclared(new Map([['thrown', { isReserved: true }]]), (name) => used.has(name))).toEqual([
    'thrown is used: it is not reserved any more',
  ])
})
