import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../src/cli/up/free-port.ts'
import { sandboxProgram } from '../harness/built-program.ts'
import { prokura } from '../harness/command-runner.ts'
import type { Service } from '../harness/up.ts'

/** The site of the sandbox's integrator, at an origin that the key of its pages is for. */
export async function startSite(service: Service, state: string) {
  const port = await freePort()
  const page = ['--capability', 'elements', '--origin', `http://localhost:${port}`]
  const made = await prokura(['keys', 'create', '--kind', 'publishable', ...page, '--state', state, '--json'])
  const { token } = JSON.parse(made.out)
  const { base_url, keys, sandbox } = service.ready
  const environment = JSON.parse(readFileSync(join(state, 'environment.json'), 'utf8'))
  const options = {
    url: base_url,
    elements: environment.PROKURA_ELEMENTS_URL,
    'publishable-key': token,
    item: sandbox.item_url,
    amount: String(sandbox.item_price),
    currency: sandbox.item_currency,
    port: String(port),
  }
  const named = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(process.execPath, [sandboxProgram, 'integrator', '--json', '--parent-pipe', ...named], {
    env: { ...process.env, PROKURA_API_KEY: keys.secret_test },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { url: String(JSON.parse(String(line)).site_url), stop: () => child.kill() }
}
