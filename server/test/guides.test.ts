import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingsTable } from '../src/platform/config/settings-table.ts'
import { thirdInGate } from './gate/tenth-in-gate.ts'
import { findPart, firstPageSections, missingFragment } from './guides/guide.ts'
import {
  blankLines,
  type Checkout,
  failure,
  faultsOf,
  follow,
  guideNames,
  makeCheckout,
} from './guides/reader.ts'
import { readSharedState } from './guides/shared-state.ts'
import { mainProgram } from './harness/built-program.ts'
import { type Service, startService } from './harness/up.ts'

let checkout: Checkout
let service: Service

beforeAll(async () => {
  checkout = await makeCheckout(mainProgram)
  service = await startService({ state: join(checkout.folder, '.prokura'), args: ['--port', '0'] })
})

afterAll(async () => {
  await service?.stop()
  await checkout?.remove()
})

// In order here. The suite `guides` follows one of them alone in a fresh state, in another shell; in its long size each of them, and then
// all of them backwards.
test.each(guideNames)(
  'every command of %s runs as it stands, answers what the guide shows, and leaves the first account as it was',
  async (name) => {
    expect(await faultsOfGuide(name)).toEqual([])
  },
)

test('README.md says at once what this is and what state it is in, and leads from there to the guides', async () => {
  const text = await checkout.text('README.md')
  expect(text.split('\n').slice(0, 10).join('\n')).toMatch(/not released yet.*cannot spend real money/)
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'What it does',
    'Why not just give the agent a card?',
    'Start',
    'A first purchase',
    'What works where',
    'What it costs',
    'What can go wrong',
    'Read on',
  ])
  expect((await checkout.guide('README.md')).transcripts).toHaveLength(1)
  for (const name of guideNames.slice(1)) expect(text).toContain(`(${name}`)
})

for (const name of guideNames.slice(1)) {
  test(`${name} says on its first page what it does, what it costs and what can go wrong`, async () => {
    expect(firstPageSections(await checkout.text(name))).toEqual([
      'What it does',
      'What it costs',
      'What can go wrong',
    ])
  })
}

for (const name of guideNames) {
  test(`every excerpt of code in ${name} stands in the file that it names`, async () => {
    const { excerpts } = await checkout.guide(name)
    for (const { line, file, code } of excerpts) {
      const source = await checkout.text(file)
      expect(findPart(source, code), `${name}:${line} is not in ${file}`).toBe(true)
    }
  })
}

test('other users cannot read the files that the guides leave: keys, and secrets of webhooks', async () => {
  const folder = join(checkout.folder, '.prokura/guides')
  const left = await readdir(folder, { recursive: true })
  expect(left).toContain('webhooks/secrets.json')
  const open: string[] = []
  for (const name of left) {
    const found = await stat(join(folder, name))
    if (found.isFile() && found.mode & 0o077) open.push(name)
  }
  expect(open).toEqual([])
})

test('the guides leave nothing behind that git or the linter sees', async () => {
  expect(checkout.git('status', '--porcelain')).toBe('')
  // The linter leaves out what git ignores.
  const { vcs } = JSON.parse(await checkout.text('biome.json'))
  expect(vcs).toMatchObject({ enabled: true, useIgnoreFile: true })
})

test('docs/operations.md has every setting with its default, as the program describes it', async () => {
  const guide = await checkout.text('docs/operations.md')
  for (const [name, { default: value, description }] of Object.entries(settingsTable)) {
    expect(guide).toContain(`| \`${name}\` | ${value === null ? '' : `\`${value}\``} | ${description} |`)
  }
})

test('blocks that are copied while no service runs name each failure, and wait for nothing', async () => {
  await service.stop()
  const unnamed: string[] = []
  let named = 0
  const names = thirdInGate(guideNames)
  for (const name of names) {
    const guide = await checkout.guide(name)
    const { parts } = await follow(checkout.folder, guide, 'sh')
    for (const [index, { line, out }] of guide.commands.entries()) {
      const part = parts[index] ?? ''
      const isNamed = failure.test(part)
      named += isNamed ? 1 : 0
      if (blankLines(part) > 0 || (missingFragment(part, out) !== null && !isNamed))
        unnamed.push(`${name}:${line} answered\n${part}`)
    }
  }
  expect(unnamed).toEqual([])
  expect(named).toBeGreaterThan(names.length * 4)
})

/** Follows a guide at a running service: what differs from what it shows, and whether it changed what all guides share. */
async function faultsOfGuide(name: string): Promise<string[]> {
  const guide = await checkout.guide(name)
  if (guide.commands.length === 0) return [`${name} has no command`]
  const before = JSON.stringify(await readSharedState(service))
  const faults = faultsOf(name, guide, await follow(checkout.folder, guide, 'sh'))
  const after = JSON.stringify(await readSharedState(service))
  return after === before ? faults : [...faults, `${name} leaves ${after} where there was ${before}`]
}
