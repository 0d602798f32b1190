import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** A checkout in which nobody has run `npm ci`. */
const folder = mkdtempSync(join(tmpdir(), 'prokura-fresh-'))
cpSync(join(root, 'server/bin'), join(folder, 'server/bin'), { recursive: true })
cpSync(join(root, 'package.json'), join(folder, 'package.json'))
afterAll(() => rmSync(folder, { recursive: true }))

/** As an older Node tells its version; nothing of it is reached that only a newer one has. */
const older = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
)}`

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const started = Object.entries(scripts).filter(([, line]) => line.startsWith('node '))

test('npm runs nothing of ours by itself before there is a Node for it', () => {
  expect(started.map(([name]) => name)).toEqual([
    'build',
    'test',
    'check',
    'suite',
    'bench',
    'peer',
    'architecture',
    'capabilities',
  ])
})

test.each([...started, ['prokura', 'node server/bin/prokura.js up']])(
  'before npm ci, %s says first what to run',
  (_, line) => {
    const args = ['--import', older, ...line.split(' ').slice(1)]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^Run `npm ci` first, in \S+\. .* this Node is 20\.20\.2, which is enough for `npm ci`\./,
    )
  },
)
