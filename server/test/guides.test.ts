import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingsTable } from '../src/platform/config/settings-table.ts'
import { findPart, type Guide, missingFragment, readGuide } from './guides/guide.ts'
import { type Service, startService } from './harness/up.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prokura-guides-'))
  service = await startService({ state: join(folder, '.prokura'), args: ['--port', '0'] })
})

afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

for (const name of [
  'README.md',
  'docs/buyers.md',
  'docs/merchants.md',
  'docs/webhooks.md',
  'docs/operations.md',
]) {
  test(`every command of ${name} runs as it stands, and answers what the guide shows`, async () => {
    const guide = readGuide(await readFile(join(root, name), 'utf8'))
    expect(guide.commands.length).toBeGreaterThan(0)
    const { code, parts } = await run(guide)
    for (const [index, { line, out }] of guide.commands.entries()) {
      const output = parts[index]
      expect(output, `${name}:${line} ran`).toBeDefined()
      expect(missingFragment(output ?? '', out), `${name}:${line} answered\n${output}`).toBeNull()
    }
    expect(code, parts.at(-1)).toBe(0)
  })

  test(`every excerpt of code in ${name} stands in the file that it names`, async () => {
    const { excerpts } = readGuide(await readFile(join(root, name), 'utf8'))
    for (const { line, file, code } of excerpts) {
      const source = await readFile(join(root, file), 'utf8')
      expect(findPart(source, code), `${name}:${line} is not in ${file}`).toBe(true)
    }
  })
}

test('docs/operations.md has every setting with its default, as the program describes it', async () => {
  const guide = await readFile(join(root, 'docs/operations.md'), 'utf8')
  for (const [name, { default: value, description }] of Object.entries(settingsTable)) {
    expect(guide).toContain(`| \`${name}\` | ${value === null ? '' : `\`${value}\``} | ${description} |`)
  }
})

/** One shell for the whole guide, as a reader has one; what follows a mark is what the block said. */
async function run(guide: Guide): Promise<{ code: number | null; parts: string[] }> {
  const host = new URL(service.ready.base_url).host
  const script = guide.commands
    .map(({ code }) => `echo; echo '${mark}'\n${code}`)
    .join('\n')
    .replaceAll('./prokura', 'prokura')
    .replaceAll('localhost:3000', host)
  const shell = spawn('sh', ['-e'], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  shell.stdin.end(script)
  const code = await new Promise<number | null>((resolve) => shell.once('close', resolve))
  return { code, parts: output.split(`${mark}\n`).slice(1) }
}

const mark = '=== next block ==='
