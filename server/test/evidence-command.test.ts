import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStateFolder, stateFiles } from '../src/cli/up/state-folder.ts'
import { startTestApp, type TestApp } from './harness/app.ts'
import { newBuyer } from './harness/buyers.ts'
import { prokura } from './harness/command-runner.ts'
import { runningPurchase } from './harness/hand-worker.ts'
import { makeFolder } from './harness/service-calls.ts'
import { serviceEnvironment } from './harness/up.ts'

/** Evidence as an operator takes it out, and as a stranger verifies it, who has a file and no service. */
let app: TestApp
let folder: string
let state: string
let remove: () => Promise<void>
let id: string
let file: string

beforeAll(async () => {
  ;({ folder, state, remove } = await makeFolder())
  app = await startTestApp()
  openStateFolder(state, { create: true }).write(stateFiles.environment, { PROKURA_PUBLIC_URL: app.url })
  ;({ id } = await runningPurchase(app, await newBuyer(app)))
  file = join(folder, 'evidence.json')
})
afterAll(async () => {
  await app?.stop()
  await remove()
})

const run = (args: string[]) =>
  prokura(['purchases', ...args], {
    ...serviceEnvironment(),
    PROKURA_API_KEY: app.account.keys.secret_test,
    PROKURA_STATE_DIR: state,
  })

const verify = (args: string[], from = state) =>
  prokura(['purchases', 'verify-evidence', ...args], { ...serviceEnvironment(), PROKURA_STATE_DIR: from })

const sentence = async (ran: ReturnType<typeof verify>) => {
  const { code, out, err } = await ran
  expect([code, out]).toEqual([1, ''])
  return err.trim().split('\n').at(-1)
}

test('evidence is written to a file that nobody else reads, and is what the service answers', async () => {
  const { code, out } = await run(['evidence', id.slice(-8), '--out', file])
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^The evidence of ${id} is in .*evidence.json`)),
  ])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const written = JSON.parse(await readFile(file, 'utf8'))
  expect(written).toMatchObject({ object: 'evidence_bundle', purchase_intent_id: id, mode: 'test' })
  const shown = JSON.parse((await run(['evidence', id])).out)
  expect(Object.keys(shown)).toEqual(Object.keys(written))
})

test('it is verified by the keys of the service, by an address and by a file, and then without any network', async () => {
  const keys = join(folder, 'keys.json')
  await writeFile(keys, await (await fetch(`${app.url}/.well-known/jwks.json`)).text())
  for (const more of [[], ['--keys', `${app.url}/.well-known/jwks.json`], ['--keys', keys]]) {
    const { code, out } = await verify([file, ...more], more.length === 0 ? state : join(folder, 'nowhere'))
    expect([more, code, out.split('\n')[0]]).toEqual([
      more,
      0,
      expect.stringMatching(/^Nothing of it was changed/),
    ])
    expect(out).toContain(id)
  }
  const { out } = await verify([file, '--keys', keys, '--json'])
  expect(JSON.parse(out)).toMatchObject({ verified: true, keys, evidence: { purchase: { id } } })
})

test('what was changed, is of another service, or is no evidence at all is refused in a sentence', async () => {
  const good = JSON.parse(await readFile(file, 'utf8'))
  const changed = async (change: object) => {
    const path = join(folder, 'changed.json')
    await writeFile(path, JSON.stringify({ ...good, ...change }))
    return sentence(verify([path]))
  }
  const said = JSON.parse(Buffer.from(good.payload, 'base64url').toString())
  said.purchase.actual_amount = 1
  const payload = Buffer.from(JSON.stringify(said)).toString('base64url')
  expect(await changed({ payload })).toMatch(/is not what was signed/)
  expect(await changed({ purchase_intent_id: 'pi_01jb2w9m4ye6xs3kq8t7v5c0zd' })).toMatch(
    /names another purchase/,
  )
  expect(await changed({ mode: 'live' })).toMatch(/names another purchase/)
  expect(await changed({ signature: undefined })).toMatch(/no evidence of a purchase: it has no payload/)
  const others = join(folder, 'others.json')
  await writeFile(others, '{"keys":[]}')
  expect(await sentence(verify([file, '--keys', others]))).toMatch(/has no key/)
  expect(await sentence(verify([others]))).toMatch(/is no evidence of a purchase/)
  expect(await sentence(verify([file, '--keys', file]))).toMatch(/is no key set/)
  expect(await sentence(verify([file, '--keys', 'http://shop.example/jwks.json']))).toMatch(/prove nothing/)
  expect(await sentence(verify([file, '--keys', `${app.url}/nothing`]))).toMatch(
    /answers 404, and no key set/,
  )
  expect(await sentence(verify([file], join(folder, 'nowhere')))).toMatch(/Name its key set with --keys/)
  expect(await sentence(verify([join(folder, 'none.json')]))).toMatch(/cannot be read \(ENOENT\)/)
})
