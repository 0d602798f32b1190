import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { keepTemporaryFilesInMemory } from './server/test/gate/memory-folder.ts'
import { patientMs } from './server/test/gate/pace.ts'
import { stripeDescription } from './server/test/gate/stripe-description.ts'
import { workspaces } from './server/test/workspaces.ts'

keepTemporaryFilesInMemory()

const include = workspaces.flatMap((name) => [`${name}/src/**/*.test.ts`, `${name}/test/**/*.test.ts`])

// Tests that need PostgreSQL say so by using the harness, so `vitest --project unit` starts no server and nobody keeps a list.
const needsPostgres = globSync(include, { cwd: import.meta.dirname }).filter((path) => {
  const text = readFileSync(`${import.meta.dirname}/${path}`, 'utf8')
  return (
    /^(import\b.*|\} )from '(\.\.?\/)+(server\/)?(test\/)?harness\//m.test(text) ||
    /^import.*\binject\b.*'vitest'/m.test(text)
  )
})

/** The longest, in order: begun last, one of them would run alone at the end. */
const first = [
  'guides',
  'stranger',
  'stranger-at-purchases',
  'flows/page-purchase',
  'plans',
  'every-command',
  'flows/browser-neighbours',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = first.findIndex((name) => moduleId.endsWith(`server/test/${name}.test.ts`))
      return place < 0 ? first.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    env: { STRIPE_DESCRIPTION: stripeDescription },
    // Tests wait for processes, databases and deadlines as often as they compute: with one fewer, two cores rest for a quarter of the time.
    maxWorkers: availableParallelism() + 2,
    // Loading the product anew for each of two hundred files costs as much as half of what they test.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // For what hangs, and no judge of speed: long enough for every test, and longer on a slow or busy machine.
    testTimeout: patientMs(180_000),
    hookTimeout: patientMs(180_000),
    expect: { poll: { timeout: patientMs(40_000) } },
    retry: 0,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include, exclude: [...needsPostgres, '**/node_modules/**'] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          // No pattern at all would mean vitest's own default, which is everything.
          include: needsPostgres.length > 0 ? needsPostgres : ['server/test/none.test.ts'],
          globalSetup: ['server/test/harness/global-setup.ts'],
        },
      },
    ],
  },
})
