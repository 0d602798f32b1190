import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../../sandbox/bin/prokura-sandbox.js', import.meta.url))

type Asked = { wire: string; behavior: string; has_right_key: boolean; body: { [field: string]: unknown } }
type Rule = { when: string; say?: string; calls?: { name: string; args: object }[] }

/** The sandbox's language model, in a process of its own. */
export async function startScriptedModel({ key = null }: { key?: string | null } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-model-test-'))
  const child = spawn(process.execPath, [bin, 'model', '--json', '--parent-pipe', '--state', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: key === null ? {} : { SANDBOX_MODEL_KEY: key },
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  if (typeof line !== 'string') throw new Error('the model of the sandbox did not start')
  const { model_url, control_token } = JSON.parse(line)
  async function control(what: string, body: object): Promise<void> {
    const { status } = await fetch(`${model_url}/control/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control_token}` },
      body: JSON.stringify(body),
    })
    if (status !== 200) throw new Error(`the model of the sandbox answered ${status}`)
  }
  return {
    origin: String(model_url),
    /** Where a behavior answers. */
    urlOf: (behavior: string) => `${model_url}/${behavior}/v1`,
    behave: (behavior: string) => control('behavior', { behavior }),
    script: (rules: readonly Rule[]) => control('script', { rules }),
    async asked(): Promise<Asked[]> {
      return JSON.parse(await (await fetch(`${model_url}/log`)).text())
    },
    async stop(): Promise<void> {
      child.stdin.end()
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>
