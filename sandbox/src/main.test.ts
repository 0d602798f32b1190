import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { get, runSandbox, temporaryFolder } from '../test/run-sandbox.ts'

const bin = fileURLToPath(new URL('../bin/prokura-sandbox.js', import.meta.url))

function run(...args: string[]) {
  return promisify(execFile)(process.execPath, [bin, ...args])
}

test('one command runs the services, each on an address of its own', async () => {
  const state = temporaryFolder()
  const sandbox = await runSandbox(['--state', state.path])
  for (const name of ['processor', 'merchant', 'shops', 'catalog', 'stripe', 'strangers'] as const) {
    expect((await get(`${sandbox[name]}/health`)).body).toEqual({ ok: true, service: name })
  }
  expect(await sandbox.stop()).toEqual([0, null])
  expect(readdirSync(state.path).sort()).toEqual([
    'bank.jsonl',
    'control.token',
    'merchant.jsonl',
    'processor.jsonl',
    'shops.jsonl',
    'strangers',
    'stripe.jsonl',
  ])
  state.remove()
})

test('a role runs alone', async () => {
  const state = temporaryFolder()
  const sandbox = await runSandbox(['--state', state.path, '--role', 'merchant'])
  expect(sandbox.urls).toMatchObject({ processor_url: null, merchant_url: sandbox.merchant, shops_url: null })
  await sandbox.stop()
  state.remove()
})

test('its processes share one control token, which stays from start to start', async () => {
  const state = temporaryFolder()
  const [merchant, processor] = await Promise.all(
    ['merchant', 'processor'].map((role) => runSandbox(['--state', state.path, '--role', role])),
  )
  await Promise.all([merchant?.stop(), processor?.kill()])
  const again = await runSandbox(['--state', state.path])
  await again.stop()
  expect(again.controlToken).toMatch(/^[\w-]{43}$/)
  expect([merchant?.controlToken, processor?.controlToken]).toEqual([again.controlToken, again.controlToken])
  state.remove()
})

test('it ends by itself when the parent closes the pipe', async () => {
  const state = temporaryFolder()
  const sandbox = await runSandbox(['--state', state.path])
  expect(await sandbox.closeParentPipe()).toEqual([0, null])
  state.remove()
})

test('help names every option', async () => {
  const { stdout } = await run('--help')
  for (const name of [
    '--state',
    '--processor-port',
    '--merchant-port',
    '--shops-port',
    '--role',
    '--config',
    '--json',
  ]) {
    expect(stdout).toContain(name)
  }
})

test.each([
  [[], '--state DIR is required'],
  [['--state', 'x', '--shop', 'classic=80'], 'the name must be new'],
  [['--state', 'x', '--shop', 'Mine=80'], 'the name must be new'],
  [['--state', 'x', '--shop', 'mine'], 'is not a port'],
  [['--state', 'x', '--role', 'bank'], '--role must be one of'],
  [['--state', 'x', '--role', 'shops'], '--role shops needs --processor-url'],
  [['--state', 'x', '--processor-port', '70000'], 'is not a port'],
])('%j is refused with a sentence', async (args, sentence) => {
  await expect(run(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
})

test('a setting that does not exist is refused, so that a typing error is not silently a default', async () => {
  const state = temporaryFolder()
  const config = join(state.path, 'config.json')
  writeFileSync(config, JSON.stringify({ merchant: { late_after: 1 } }))
  await expect(run('--state', state.path, '--config', config)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no setting late_after'),
  })
  state.remove()
})
