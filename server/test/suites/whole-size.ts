import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTests } from '../gate/count.ts'
import { runCommand } from '../gate/run-command.ts'
import { wholeSize } from '../gate/tenth-in-gate.ts'

/** A part of the long run: the tests that take a tenth of their random cases or rows in the gate take all. */
const root = join(import.meta.dirname, '../../..')
const files = globSync('server/{src,test}/**/*.test.ts', { cwd: root }).filter((path) =>
  readFileSync(join(root, path), 'utf8').includes('gate/tenth-in-gate.ts'),
)
const folder = mkdtempSync(join(tmpdir(), 'prokura-whole-size-'))
const report = join(folder, 'report.json')
try {
  const { exitCode, output } = await runCommand({
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    cwd: root,
    env: { [wholeSize]: 'on' },
    limitMs: 60 * 60_000,
    onLine: () => undefined,
  })
  const { passed, failed } = countTests(readFileSync(report, 'utf8'), exitCode)
  if (failed > 0) console.log(output)
  console.log(`whole-size: ${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
