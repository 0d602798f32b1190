import { createHash } from 'node:crypto'
import { appendFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Guard } from './guard.ts'
import type { Said } from './run-tests.ts'

/** The verdict on each guard, so that a long run goes on where the last one ended, and repeats guards that have changed since. */
export type Verdicts = {
  /** Null unless the same tests of the same program have failed without this guard before. */
  killOf(guard: Guard): Killed | null
  keep(guard: Guard, said: Said): void
}

type Killed = Extract<Said, { kind: 'failed' }>
type Line = { guard: string; digest: string; said: Said }

const path = join(import.meta.dirname, '../../../../.tmp/suites/mutation/verdicts.jsonl')

/** Only kills are kept. A survivor is tried again, since somebody writes a test for it or looks for its cause. */
export function openVerdicts(root: string): Verdicts {
  const program = digestOf([['package.json'], ['vitest.config.ts'], ...programFiles(root)].flat(), root)
  const known = new Map<string, Killed>()
  for (const { guard, digest, said } of readLines()) {
    if (said.kind === 'failed') known.set(`${guard} ${digest}`, said)
  }
  function digest({ file, mark, how, killers, only }: Guard): string {
    const entry = JSON.stringify([program, file, mark, how, only])
    return createHash('sha256')
      .update(entry)
      .update(
        digestOf(
          killers.map((killer) => join('server', killer)),
          root,
        ),
      )
      .digest('hex')
  }
  return {
    killOf: (guard) => known.get(`${guard.id} ${digest(guard)}`) ?? null,
    keep(guard, said) {
      mkdirSync(dirname(path), { recursive: true })
      const line: Line = { guard: guard.id, digest: digest(guard), said }
      appendFileSync(path, `${JSON.stringify(line)}\n`)
    },
  }
}

/** Every file that a test may depend on. A test file counts only for the guards that name it, and the suites for none. */
function programFiles(root: string): string[] {
  return globSync('{server,sandbox}/**/*.*', {
    cwd: root,
    exclude: ['**/node_modules', 'server/test/suites'],
  })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
}

function digestOf(files: readonly string[], root: string): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function readLines(): Line[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  } catch {
    return []
  }
}
