import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayBecome, serviceIds, vaultIds } from '../../src/platform/postgres/account.ts'
import { createVaultClient } from '../../src/platform/vault-client/vault-client.ts'
import type { ForwardedCall } from '../../src/platform/vault-client/vault-words.ts'
import { someTenant, startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterAll(() => world?.stop())

const tables = ['tenant_keys', 'records', 'grants', 'acts', 'rate_counters', 'refusals']

async function as(role: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: world.roles.addressOf(role) })
  await client.connect()
  return client.query(text).finally(() => client.end())
}

test.each(tables)('the role of API and worker may not read card_vault.%s', async (table) => {
  await expect(as(world.roles.runtime, `select * from card_vault.${table}`)).rejects.toThrow(
    /permission denied/,
  )
  await as(world.roles.vault, `select * from card_vault.${table}`)
})

test.each(['accounts', 'api_keys', 'payment_methods', 'element_sessions', 'card_refusals', 'events'])(
  'the role of the vault may not read %s',
  async (table) => {
    await expect(as(world.roles.vault, `select * from ${table}`)).rejects.toThrow(/permission denied/)
  },
)

test('it does not start where another role may read its tables, and names the role and the remedy', async () => {
  const { runtime } = world.roles
  await world.sql(`grant select on card_vault.records to ${runtime}`)
  await expect(world.restart('SIGTERM')).rejects.toThrow(
    `revoke all on all tables in schema card_vault from ${runtime}`,
  )
  await world.sql(`revoke all on all tables in schema card_vault from ${runtime}`)
  await world.sql('grant select on card_vault.records to public')
  await expect(world.restart('SIGTERM')).rejects.toThrow('from public')
  await world.sql('revoke all on card_vault.records from public')
  await world.restart()
})

/** Tries to connect to a door as another user: the code of the refusal, or `connected`. */
function knock(door: string, ids: { uid: number; gid: number }): string {
  const program = `require('node:net').connect(${JSON.stringify(join(world.doors, door))})
    .on('connect', () => { console.log('connected'); process.exit() }).on('error', ({ code }) => console.log(code))`
  return spawnSync(process.execPath, ['-e', program], { ...ids, cwd: '/', env: {} })
    .stdout.toString()
    .trim()
}

const stranger = { uid: 47_399, gid: 47_399 }

describe.runIf(process.geteuid?.() === 0 && mayBecome(stranger))('other users of the machine', () => {
  test('cannot connect, and each door is for one group alone', async () => {
    const owners = { uid: 0, workerGid: serviceIds.gid, browserGid: 47_314 }
    const { makeDoorFolders } = await import('../../src/cli/vault/door-folders.ts')
    makeDoorFolders(world.doors, owners)
    await world.restart()
    const browser = { uid: 47_314, gid: 47_314 }
    expect(
      ['worker/door', 'browser/door'].map((door) =>
        [stranger, serviceIds, browser].map((ids) => knock(door, ids)),
      ),
    ).toEqual([
      ['EACCES', 'connected', 'EACCES'],
      ['EACCES', 'EACCES', 'connected'],
    ])
    expect(serviceIds.uid).not.toBe(vaultIds.uid)
  })

  test('cannot stand between: a socket of another user in the folder is told nothing', async () => {
    const doors = join(world.folder, 'false')
    await mkdir(join(doors, 'worker'), { recursive: true })
    await chmod(join(doors, 'worker'), 0o710)
    const heard: string[] = []
    const server = createServer((socket) => socket.on('data', (data) => void heard.push(data.toString())))
    await new Promise<void>((resolve) => server.listen(join(doors, 'worker/door'), resolve))
    spawnSync('chown', ['47399', join(doors, 'worker/door')])
    expect(await createVaultClient(doors).describe(someTenant, 'vrec_x')).toEqual({ kind: 'away' })
    await chmod(join(doors, 'worker'), 0o777)
    spawnSync('chown', ['0', join(doors, 'worker/door')])
    expect(await createVaultClient(doors).describe(someTenant, 'vrec_x')).toEqual({ kind: 'away' })
    expect(heard).toEqual([])
    server.close()
  })
})

test('it opens no door in a folder that others may write to', async () => {
  await chmod(join(world.doors, 'worker'), 0o777)
  await expect(world.restart('SIGTERM')).rejects.toThrow('is open to other users')
  await chmod(join(world.doors, 'worker'), 0o700)
  await world.restart()
})

test('no answer at the door of the worker, no row, no log, no argument and no setting holds a number or a code', async () => {
  const { record, reference, number, code } = await world.issue()
  const base = `${world.sandbox.processorUrl}/v1/virtual_cards/${reference}`
  const plain = { tenant: someTenant, method: 'GET', headers: {}, body: null, timeoutMs: 5_000 } as const
  const pointers = {
    number: '/number',
    expMonth: '/exp_month',
    expYear: '/exp_year',
    securityCode: '/security_code',
    holder: null,
  }
  const calls: ForwardedCall[] = [
    { ...plain, url: base, seal: null },
    // In plain words, without anything to seal.
    { ...plain, url: `${base}/number`, seal: null },
    { ...plain, url: `${base}/number`, seal: { ...pointers, keepUntil: new Date(Date.now() + 60_000) } },
    // The pointer is wrong: the answer may hold the number anywhere.
    {
      ...plain,
      url: `${base}/number`,
      seal: { ...pointers, number: '/pan', keepUntil: new Date(Date.now() + 60_000) },
    },
  ]
  const answers = await Promise.all(calls.map((call) => world.client.forward(call)))
  expect(answers.map((answer) => answer.kind)).toEqual(calls.map(() => 'answer'))
  expect(answers[1]).toMatchObject({ body: { number: '[redacted]', security_code: '[redacted]' } })
  expect(answers[2]).toMatchObject({ body: { number: record, security_code: null }, record: { id: record } })
  expect(answers[3]).toMatchObject({ body: {}, record: null })
  const rows: unknown[] = []
  for (const table of tables) rows.push(await world.sql(`select t::text from card_vault.${table} t`))
  const pid = world.pid()
  const places = {
    answers: JSON.stringify(answers),
    rows: JSON.stringify(rows),
    log: await world.log(),
    arguments: await readFile(`/proc/${pid}/cmdline`, 'utf8'),
    settings: await readFile(`/proc/${pid}/environ`, 'utf8'),
    health: JSON.stringify(await world.client.health()),
  }
  expect(places.rows).toContain(record)
  for (const [place, text] of Object.entries(places)) {
    expect(text, place).not.toContain(number)
    expect(text, place).not.toContain(Buffer.from(number).toString('hex'))
    expect(text, place).not.toContain(`"${code}"`)
  }
  expect((await stat(join(world.folder, 'vault-master.keys'))).mode & 0o777).toBe(0o600)
})

test('it writes no core dumps, whatever the shell that starts it allows', async () => {
  const limits = await readFile(`/proc/${world.pid()}/limits`, 'utf8')
  expect(limits).toMatch(/Max core file size +0 /)
})

test('calls to anybody but the rail are refused, and nothing is sent', async () => {
  const heard: string[] = []
  const server = createServer((socket) => void heard.push(String(socket.remotePort)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const rail = world.sandbox.processorUrl
  const { host } = new URL(rail)
  const calls = [
    [`http://127.0.0.1:${port}/v1/virtual_cards`, someTenant],
    [`http://${host}@127.0.0.1:${port}/v1`, someTenant],
    [`http://user:secret@${host}/v1/virtual_cards`, someTenant],
    [`${rail.replace('127.0.0.1', 'localhost')}/v1/virtual_cards`, someTenant],
    [`${rail}/v1/virtual_cards`, { ...someTenant, mode: 'live' as const }],
    ['not a url', someTenant],
  ] as const
  for (const [url, tenant] of calls) {
    const call = {
      tenant,
      method: 'GET',
      url,
      headers: {},
      body: null,
      timeoutMs: 1_000,
      seal: null,
    } as const
    expect(await world.client.forward(call), url).toEqual({ kind: 'refused', reason: 'not_the_rail' })
  }
  expect(heard).toEqual([])
  server.close()
})

/** A raw request at a door: the status, or how the connection ended. */
function raw(path: string, body: string, headers: Record<string, string> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const socketPath = join(world.doors, 'worker/door')
    const asked = request({ socketPath, path, method: 'POST', headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    asked.end(body)
  })
}

test('what nobody of ours would send is refused, and the next question is answered', async () => {
  const tenant = JSON.stringify(someTenant)
  const odd: [string, string, number | string][] = [
    ['/forward', '{}', 400],
    ['/forward', 'x', 400],
    ['/forward', '[]', 400],
    ['/describe', `{"tenant":${tenant},"record":1}`, 400],
    ['/describe', `{"tenant":${tenant},"record":"x","more":1}`, 400],
    ['/describe', `{"tenant":{"accountId":"acct_1' or 1=1","mode":"test"},"record":"x"}`, 400],
    ['/describe', `{"tenant":${tenant},"record":"x","record":"y"}`, 400],
    ['/describe', `${'['.repeat(100_000)}`, 400],
    ['/describe', 'x'.repeat(300_000), 413],
    ['/redeem_grant', '{}', 404],
    ['/constructor', '{}', 404],
    [
      '/grant',
      `{"tenant":${tenant},"record":"x","cart":"c","attempt":1.5,"origin":"https://a.test","leaseToken":"1"}`,
      400,
    ],
    ...[
      'http://a.test',
      'https://a.test/',
      'https://a.test/x',
      'https://A.test',
      'https://u@a.test',
      'null',
      '*',
    ].map((origin): [string, string, number] => [
      '/grant',
      JSON.stringify({ tenant: someTenant, record: 'x', cart: 'c', attempt: 1, origin, leaseToken: '1' }),
      400,
    ]),
  ]
  for (const [path, body, status] of odd)
    expect([path, body.slice(0, 120), await raw(path, body)]).toEqual([path, body.slice(0, 120), status])
  expect(await world.client.describe(someTenant, 'vrec_x')).toEqual({ kind: 'none' })
})

test('callers who say nothing, or hang up, keep nobody else waiting', async () => {
  const path = join(world.doors, 'worker/door')
  const silent = Array.from({ length: 100 }, () => connect(path).on('error', () => undefined))
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  for (const socket of silent.slice(0, 50))
    socket.write('POST /describe HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{')
  expect(await world.client.describe(someTenant, 'vrec_x')).toEqual({ kind: 'none' })
  for (const socket of silent) socket.destroy()
  expect((await world.client.health())?.pid).toBe(world.pid())
})

test('no signal opens a debugger on it, and a second vault does not take its place', async () => {
  const pid = world.pid()
  process.kill(pid, 'SIGUSR1')
  await expect(world.startAnother()).rejects.toThrow('Another vault already serves')
  expect(await world.client.health()).toMatchObject({ pid })
  expect(await world.log()).not.toContain('Debugger')
})

test('it ends when its parent ends', async () => {
  await world.hangUp()
  expect(await world.client.health()).toBeNull()
  await world.restart()
})
