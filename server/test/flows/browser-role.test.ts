import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBrowserPort } from '../../src/channels/browser/browser-port.ts'
import { browserIds, mayBecome } from '../../src/platform/postgres/account.ts'
import { hasChromium, shopRequest } from '../harness/browser.ts'
import { mainProgram } from '../harness/built-program.ts'
import { processesOfChromium } from '../harness/chromium-processes.ts'
import { type Sandbox, startSandbox } from '../harness/sandbox.ts'
import { serviceEnvironment } from '../harness/up.ts'

/** The program as people start it, without a database and without a key. */
describe.skipIf(!hasChromium)('prokura browser', () => {
  let folder: string
  let sandbox: Sandbox
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prokura-role-'))
    await chmod(folder, 0o711)
    sandbox = await startSandbox()
    await writeFile(join(folder, 'names.json'), JSON.stringify(sandbox.names), { mode: 0o600 })
  })
  afterAll(async () => {
    await sandbox?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function start(args: string[] = [], more: Record<string, string> = {}) {
    const doors = join(folder, 'browser/doors')
    const child = spawn(process.execPath, [mainProgram, 'browser', '--parent-pipe', ...args], {
      env: {
        ...serviceEnvironment(),
        PROKURA_STATE_DIR: folder,
        PROKURA_BROWSER_DOORS: doors,
        PROKURA_BROWSER_UNSANDBOXED: 'test',
        PROKURA_SANDBOX_NAMES_FILE: join(folder, 'names.json'),
        ...more,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const exited = once(child, 'exit')
    const ready = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      exited.then(() => null),
    ])
    return { child, exited, ready, doors, said: () => said }
  }

  test('takes hosts of payment from a file, and does not start with a wrong one', async () => {
    const file = join(folder, 'payment-hosts.json')
    await writeFile(file, JSON.stringify([{ host: 'https://pay.example.com', roles: ['page'] }]))
    const refused = await start([], { PROKURA_PAYMENT_HOSTS: file })
    expect(refused.ready).toBeNull()
    expect(refused.said()).toContain(`PROKURA_PAYMENT_HOSTS names ${file}`)
    expect(refused.said()).toContain('leave https://, ports and paths out')
    const added = { host: 'pay.example.com', roles: ['page'] }
    await writeFile(file, JSON.stringify([added]))
    const { child, exited, doors } = await start([], { PROKURA_PAYMENT_HOSTS: file })
    const health = await createBrowserPort(doors).health()
    expect(health?.payment_hosts).toEqual({ known: expect.any(Number), added: [added] })
    child.stdin.end()
    await exited
  })

  test('is ready before its Chromium is unpacked, lays its rights down, and answers workers', async () => {
    const { child, exited, ready, doors } = await start()
    expect(JSON.parse(String(ready?.[0]))).toEqual({ role: 'browser', doors, pid: child.pid })
    const port = createBrowserPort(doors)
    const health = await port.health()
    expect(health).toMatchObject({ pid: child.pid, chromium: expect.stringContaining('Chrome/'), running: 0 })
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    if (process.geteuid?.() === 0 && mayBecome(browserIds))
      expect(/^Uid:\t\d+\t(\d+)/m.exec(status)?.[1]).toBe(String(browserIds.uid))
    const call = {
      mode: 'test' as const,
      share: 'buyer',
      signal: new AbortController().signal,
      onEvidence: () => undefined,
    }
    expect((await port.price(shopRequest('classic'), call)).kind).not.toMatch(/not_sent|lost/)
    const second = await start()
    expect([second.ready, second.said()]).toEqual([
      null,
      expect.stringContaining('Another browser process already serves'),
    ])
    child.stdin.end()
    expect(await exited).toEqual([0, null])
    await expect.poll(() => processesOfChromium(join(folder, 'browser/profiles'))).toEqual([])
    expect(await port.health()).toBeNull()
  })

  test('leaves no Chromium behind when it is killed', async () => {
    const { child, exited, doors } = await start()
    const port = createBrowserPort(doors)
    const call = {
      mode: 'test' as const,
      share: 'buyer',
      signal: new AbortController().signal,
      onEvidence: () => undefined,
    }
    await port.price(shopRequest('classic'), call)
    expect((await processesOfChromium(join(folder, 'browser/profiles'))).length).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await exited
    await expect.poll(() => processesOfChromium(join(folder, 'browser/profiles'))).toEqual([])
  })

  test('shows windows of a Chromium that has windows alone', async () => {
    const { ready, said } = await start(['--headed'])
    expect([ready, said()]).toEqual([null, expect.stringContaining('Set CHROMIUM_PATH')])
  })
})
