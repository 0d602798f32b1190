import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasTerminal, typed } from './harness/at-terminal.ts'
import { prokura } from './harness/command-runner.ts'
import { person } from './harness/person.ts'
import { callService, makeFolder, runForJson } from './harness/service-calls.ts'
import { type Service, serviceEnvironment, startService } from './harness/up.ts'

const kettle = 'https://ucp.shop.test/products/kettle'

let state: string
let service: Service
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ state, remove } = await makeFolder())
  service = await startService({ state, args: ['--port', '0'] })
})
afterAll(async () => {
  await service?.stop()
  await remove()
})

/** What a person sees after a line, which has to end as it should. */
async function see(line: string, { answers = [], code = 0 }: { answers?: string[]; code?: number } = {}) {
  const seen = await typed(line, { env: { ...serviceEnvironment(), PROKURA_STATE_DIR: state }, answers })
  expect({ line, code: seen.code }, seen.out).toEqual({ line, code })
  return seen.out
}

/** The first id of a kind that a person reads there. */
function idIn(out: string, prefix: string): string {
  const [found] = new RegExp(`\\b${prefix}_[0-9a-z]{26}\\b`).exec(out) ?? []
  expect(out).toContain(found)
  return found ?? ''
}

/** A command that was named, as it stands there. */
function commandIn(out: string, words: string): string {
  const found = out
    .replaceAll('\n', ' ')
    .match(/`(prokura [^`]+)`/g)
    ?.find((one) => one.includes(words))
  expect({ out, found }).toEqual({ out, found: expect.any(String) })
  return `./${(found ?? '').replaceAll('`', '')}`
}

describe.runIf(hasTerminal)(
  'a person spends a day at the terminal, and no line has another tool in it',
  () => {
    test('a profile, its address and card, a purchase, and what becomes of it', async () => {
      const ada = idIn(
        await see(
          './prokura profiles add --first-name Ada --last-name Lovelace --email ada@example.com --country US',
        ),
        'prof',
      )
      const nowhere = await see(`./prokura buy ${kettle} --max 40`, { code: 1 })
      expect(nowhere).toContain('has no address')
      const home = '--line1 "1 Analytical Way" --city Portland --region OR --postal-code 97201'
      await see(`${commandIn(nowhere, 'addresses add')} ${home}`)
      const unpaid = await see(`./prokura buy ${kettle} --max 40`, { code: 1 })
      expect(unpaid).toContain('has no card')
      expect(await see(commandIn(unpaid, 'cards add'))).toContain('Visa •••• 4242')
      expect(await see('./prokura purchases list')).toContain('There is no such purchase in test mode.')

      const bought = await see(`./prokura buy ${kettle} --max 40`, { answers: ['y'] })
      expect(bought).toMatch(/buy +1 × Kettle\n +from +ucp\.shop\.test/)
      expect(bought).toMatch(/Bought 1 item from (ucp\.)?shop\.test: \$32\.40 charged\./)
      const id = idIn(bought, 'pi')
      expect(await see('./prokura purchases list')).toMatch(
        new RegExp(`${id} +succeeded +\\$32\\.40 charged`),
      )
      const shown = await see(`./prokura purchases show ${id.slice(-8)}`)
      for (const words of [
        '1 × Kettle, $25.00 each',
        'Ada Lovelace, 1 Analytical Way, Portland, OR 97201, US',
        'Visa •••• 4242',
        '$32.40 (goods $25.00, delivery $5.00, tax $2.40)',
        'purchase_intent.succeeded',
      ])
        expect(shown).toContain(words)
      expect(await see(`./prokura purchases cancel ${id}`, { code: 1 })).toContain('Bought 1 item')
      expect(await see(`./prokura profiles show ${ada}`)).toContain('1 Analytical Way')
    })

    test('what an agent asks for is approved, declined or cancelled, and what it bought goes back', async () => {
      const { ok, silent } = service.ready.sandbox.items
      const asked = async (url: string) =>
        idIn(await see(`./prokura buy ${url} --max 40`, { answers: ['yes'] }), 'pi')
      const id = await asked(ok)
      const order = idIn(await see(`./prokura purchases show ${id}`), 'ord')
      expect(await see(`./prokura orders show ${order}`)).toMatch(/Sandbox item: ok.*\$25\.00 each/)
      expect(await see(`./prokura orders cancel ${order}`, { code: 1 })).toContain(
        'can no longer be cancelled',
      )
      const back = idIn(
        await see(`./prokura orders return ${order} --reason damaged --note "It is broken."`),
        'ret',
      )
      expect(await see('./prokura orders list --received')).toContain(order)
      const refused = await see(`./prokura orders refund ${order} --return ${back}`, {
        answers: ['n'],
        code: 1,
      })
      expect(refused).toContain('Nothing was given back.')
      expect(
        await see(`./prokura orders refund ${order} --amount 5 --reason "Sorry"`, { answers: ['y'] }),
      ).toMatch(/refund +\$5\.00, succeeded: Sorry/)
      await see(`./prokura orders refund ${order} --return ${back} --amount 20`, { answers: ['y'] })
      const shown = await see(`./prokura purchases show ${id}`)
      expect(shown).toMatch(/refund +\$5\.00, succeeded/)
      expect(shown).toMatch(/refund +\$20\.00, succeeded/)

      const waiting = await agentAsks(silent)
      const list = await see('./prokura purchases list --status awaiting_approval')
      expect(list).toContain(waiting)
      const why = await see(`./prokura purchases show ${waiting}`)
      const linked = await see(`./prokura purchases approve ${waiting} --link`)
      expect(linked).toMatch(/http:\/\/elements\.localhost:\d+\/elements\/v1\/approve#pr_al_test_\w{33}/)
      expect(linked).toContain('PROKURA_ELEMENTS_URL')
      expect(await see(commandIn(why, 'approve'), { answers: ['n'], code: 1 })).toContain('still waits')
      await see(commandIn(why, 'approve'), { answers: ['y'] })
      expect(await see(`./prokura purchases cancel ${waiting}`)).toContain('Cancelled: nothing was bought')
      const declined = await agentAsks(ok)
      expect(await see(`./prokura purchases decline ${declined}`)).toContain('Declined: nothing was bought')
      expect(await see(`./prokura purchases approve ${declined}`, { code: 1 })).toContain(
        'Declined: nothing was bought',
      )
    })

    test('what a paid request bought is shown', async () => {
      const forecast = `${service.ready.sandbox.shops.mpp}/v1/forecast?city=Portland`
      const bought = await see(`./prokura buy ${forecast} --max 10`, { answers: ['y'] })
      const id = idIn(bought, 'pi')
      expect(commandIn(bought, 'purchases result')).toBe(`./prokura purchases result ${id}`)
      expect(await see(`./prokura purchases result ${id}`)).toMatch(/[Pp]ortland/)
    })

    test('what a shop has to know before it sells is asked there, or told later', async () => {
      const url = await sellTour()
      const day = '2027-03-01'
      expect(await see(`./prokura buy ${url} --max 90`, { answers: ['y', day] })).toMatch(
        /asks: Start date \(as 2027-03-01\): [\s\S]*Bought 1 item/,
      )
      const waiting = await agentAsks(url)
      await see(`./prokura purchases approve ${waiting} --yes`)
      const followed = await see(`./prokura purchases follow ${waiting}`)
      expect(followed).toContain('It waits to be told: Start date.')
      const tell = commandIn(followed, 'purchases answer')
      expect(await see(`${tell} start_date=tomorrow`, { code: 1 })).toContain('send a date as 2027-03-01')
      await see(`${tell} start_date=${day}`)
      expect(await see(`./prokura purchases follow ${waiting}`)).toContain('Bought 1 item')
      expect(await see(`${tell} start_date=${day}`, { code: 1 })).toContain('cannot be told anything')
    })
  },
)

describe('profiles issuing', () => {
  const ready = { ...person, phone: '+12175550123', dob: { day: 10, month: 12, year: 1985 } }

  test('decide ends what live mode leaves to the operator, and the audit names who it was', async () => {
    const key = service.ready.keys.secret_live
    const { id } = (await call('POST', '/v1/profiles', ready, key)).body
    const asked = await call('POST', `/v1/profiles/${id}/issuing`, undefined, key)
    expect([asked.status, asked.body.detail?.code]).toEqual([409, 'issuing_not_available'])
    const decided = await json(['profiles', 'issuing', 'decide', id, 'enabled', '--as', 'Jane Roe'])
    expect(decided).toMatchObject({ id, mode: 'live', issuing: { state: 'enabled', requirements: [] } })
    expect((await call('GET', `/v1/profiles/${id}`, undefined, key)).body.issuing.state).toBe('enabled')
    const again = await prokura(['profiles', 'issuing', 'decide', id, 'enabled', '--state', state])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('it is enabled already')])
    expect((await json(['profiles', 'issuing', 'decide', id, 'rejected'])).issuing.state).toBe('rejected')
    const client = new Client({ connectionString: service.ready.database_url })
    await client.connect()
    const { rows } = await client.query(
      `select actor_id from events where aggregate_id = $1 and type = 'profile.issuing_updated' order by sequence`,
      [id],
    )
    await client.end()
    expect(rows.map(({ actor_id }) => actor_id)).toEqual([
      'operator:Jane Roe',
      expect.stringMatching(/^operator:/),
    ])
    expect((await json(['audit', 'verify'])).ok).toBe(true)
  })

  test('decide enables nobody of whom something is missing, and knows no profile that is not there', async () => {
    const { id } = (await call('POST', '/v1/profiles', person)).body
    for (const [which, words] of [
      [id, 'the profile lacks dob, phone'],
      ['prof_nobody', 'There is no profile prof_nobody'],
    ] as const) {
      const { code, err } = await prokura([
        'profiles',
        'issuing',
        'decide',
        which,
        'enabled',
        '--state',
        state,
      ])
      expect([code, err]).toEqual([1, expect.stringContaining(words)])
    }
    expect((await json(['profiles', 'issuing', 'list'])).data).toEqual([])
  })
})

describe('cards', () => {
  test('add refuses a card number without repeating or sending it, and an unknown card names the test cards', async () => {
    const { id } = (await call('POST', '/v1/profiles', person)).body
    for (const number of [
      '4242424242424242',
      '4242 4242 4242 4242',
      '3782-822463-10005',
      '4242.4242.4242.4242',
    ]) {
      const { code, out, err } = await prokura(['cards', 'add', number, '--profile', id, '--state', state])
      expect([code, out, err]).toEqual([1, '', expect.stringContaining('A card number is never taken here')])
      expect(err).not.toContain(number)
    }
    const unknown = await prokura(['cards', 'add', 'visa', '--profile', id, '--state', state])
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringMatching(/one of the test cards.* visa_auto_approved, /),
    ])
    const made = await json(['cards', 'add', 'visa_otp_required', '--profile', id])
    expect(made.card.agentic_credentials_status).toBe('pending_verification')
    const verified = await json(['cards', 'verify', made.id, '--code', '123456', '--profile', id])
    expect(verified.card.agentic_credentials_status).toBe('active')
    await json(['cards', 'remove', made.id, '--profile', id])
    expect((await json(['cards', 'list', '--profile', id])).data).toEqual([])
  })
})

describe('profiles addresses', () => {
  test('are added, changed and removed', async () => {
    const made = await json([
      'profiles',
      'add',
      '--first-name',
      'Suharto',
      '--email',
      'a@example.com',
      '--country',
      'US',
    ])
    const home = [
      '--line1',
      '1 Main St',
      '--line2',
      'Flat 2',
      '--city',
      'Reno',
      '--region',
      'NV',
      '--postal-code',
      '89501',
    ]
    const added = await json(['profiles', 'addresses', 'add', made.id, ...home])
    const [{ id }] = added.addresses
    const changed = await json([
      'profiles',
      'addresses',
      'change',
      made.id,
      id,
      '--line1',
      '2 Main St',
      '--line2',
      '',
    ])
    expect(changed.addresses).toMatchObject([
      { id, line1: '2 Main St', line2: null, city: 'Reno', postal_code: '89501' },
    ])
    expect((await json(['profiles', 'addresses', 'remove', made.id, id])).addresses).toEqual([])
    expect((await json(['profiles', 'archive', made.id.slice(-10)])).status).toBe('archived')
  })
})

function json(args: readonly string[]) {
  return runForJson(state, args)
}

function call(method: string, path: string, body?: unknown, key?: string) {
  return callService(service, { method, path, body, ...(key === undefined ? {} : { key }) })
}

/** An agent asks with its own key, which approves nothing. */
/** A tour of the sandbox's merchant, which has to know the day. */
async function sellTour(): Promise<string> {
  const path = '/v1/merchant/catalog_items'
  const url = 'https://sandbox-merchant.example/items/tour'
  const tour = {
    title: 'Kayak tour',
    url,
    item_type: 'booking',
    required_inputs: [{ name: 'start_date', type: 'date' }],
    variants: [{ sku: 'tour', price: 2500, currency: 'USD' }],
  }
  const made = await callService(service, { method: 'POST', path, body: tour })
  await callService(service, { method: 'POST', path: `${path}/${made.body.id}/publish`, body: {} })
  return url
}

async function agentAsks(url: string): Promise<string> {
  const { keys } = service.ready
  const profiles = await callService(service, { method: 'GET', path: '/v1/profiles' })
  const made = await callService(service, {
    method: 'POST',
    path: '/v1/purchase_intents',
    key: keys.agent_test,
    body: {
      profile_id: profiles.body.data[0].id,
      items: [{ url, quantity: 1, expected_amount: 2500, expected_currency: 'USD' }],
    },
  })
  return made.body.id
}
