import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { steps } from './gate/steps.ts'
import { gateSuites } from './suites/list.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const scripts: string[] = Object.keys(JSON.parse(textOf('package.json')).scripts)

/** What a page names and nobody has. */
function missingIn(page: string, text: string, program: Command): string[] {
  return [...missingPaths(text), ...missingScripts(text), ...missingOptions(text, program)].map(
    (what) => `${page}: ${what}`,
  )
}

/** In backticks, beginning with a folder of this repository; `NAME` stands for one, as `*` does. */
function missingPaths(text: string): string[] {
  const named = [...text.matchAll(/`((?:server|sandbox|bench|docs|\.ci)\/[\w./*-]*)`/g)].map(
    ([, path]) => path ?? '',
  )
  return named.filter((path) => {
    const pattern = path.replaceAll(/\bNAME\b/g, '*')
    return pattern.includes('*')
      ? globSync(pattern, { cwd: root }).length === 0
      : !existsSync(join(root, path))
  })
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

/** `prokura keys create --preset`: the command, and each option that it is given. */
function missingOptions(text: string, program: Command): string[] {
  return [...text.matchAll(/\bprokura ((?:[a-z][a-z-]*)(?: (?:--)?[a-zA-Z][\w-]*)*)/g)].flatMap(
    ([whole, words]) => {
      let at = program
      const missing: string[] = []
      for (const word of words?.split(' ') ?? []) {
        const known = [...at.options, ...program.options].flatMap(({ long }) => long ?? [])
        if (word.startsWith('--')) {
          if (word !== '--help' && !known.includes(word)) missing.push(`${word} in "${whole}"`)
          continue
        }
        at = at.commands.find((each) => each.name() === word) ?? at
      }
      // In prose the product is a word like others.
      return at === program ? [] : missing
    },
  )
}

test('every file, command and option that the pages name is there', async () => {
  const program = await createProgram()
  expect(pages.length).toBeGreaterThan(8)
  expect(pages.flatMap((page) => missingIn(page, textOf(page), program))).toEqual([])
})

test.each([
  ['a file', 'see `server/test/nowhere.ts`'],
  ['a file of any name', '`bench/nowhere/NAME.json`'],
  ['a script', 'npm run nothing'],
  ['a step', 'npm test -- --only types,lnit'],
  ['a suite', 'npm run suite -- raecs'],
  ['an option', 'npx prokura keys create --prset read_only'],
])('%s that is not there is named', async (_what, text) => {
  expect(missingIn('page', text, await createProgram())).toHaveLength(1)
})
