import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { fieldsOf, openFormBrowser, textOf } from '../../../../test/harness/form-browser.ts'
import { fieldNames } from './form-fields.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
const script = `<script>alert("x")</script>'`

/** A browser without JavaScript that has seen none of our pages. */
function openBrowser() {
  return openFormBrowser(app.url)
}

async function newLink(body: object = { use_case: { type: 'account_onboarding' } }, key?: string) {
  const created = await app.post('/v1/onboarding_links', body, key ? { key } : {})
  expect(created.status).toBe(201)
  const { id, url, profile } = created.body
  return { id: String(id), link: new URL(url).pathname, profileId: String(profile.id) }
}

async function statusOf(id: string): Promise<string> {
  return (await app.get(`/v1/onboarding_links/${id}`)).body.status
}

test('a person opens the link, fills in the form and is a profile', async () => {
  const { id, link, profileId } = await newLink()
  const browser = openBrowser()
  const welcome = await browser.visit(link)
  expect([welcome.status, welcome.text]).toEqual([200, expect.stringContaining('Integrator')])
  expect(await statusOf(id)).toBe('pending')
  const form = await browser.begin(link)
  expect(form.status).toBe(200)
  expect(await statusOf(id)).toBe('opened')
  const sent = await browser.send(form, {
    ...ada,
    phone: '+44 20 7946 0958',
    dob_day: '10',
    dob_month: '12',
    dob_year: '1985',
    address_line1: '1 St James Square',
    address_city: 'London',
    address_postal_code: 'SW1Y 4JH',
    address_country: 'GB',
  })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, 'done'])
  expect((await browser.visit('/onboarding/done')).text).toContain('Thank you')
  const profile = (await app.get(`/v1/profiles/${profileId}`)).body
  expect(profile).toMatchObject({ ...ada, status: 'active', phone: '+442079460958', dob_provided: true })
  expect(profile.addresses).toMatchObject([
    { line1: '1 St James Square', is_default: true, address_type: 'both' },
  ])
  expect(await statusOf(id)).toBe('completed')
  const events = await app.parts.pools.read<{ type: string; actor_type: string; actor_id: string }>({
    name: '',
    text: 'select type, actor_type, actor_id from events where aggregate_id in ($1, $2) order by id',
    values: [id, profileId],
  })
  expect(events.map(({ type }) => type)).toEqual([
    'onboarding_link.created',
    'onboarding_link.opened',
    'profile.created',
    'onboarding_link.completed',
  ])
  for (const { actor_type, actor_id } of events.slice(1))
    expect([actor_type, actor_id]).toEqual(['system', id])
})

test('looking at a link uses nothing up; its button works once, for one browser', async () => {
  const { link } = await newLink()
  const [first, second] = [openBrowser(), openBrowser()]
  for (let looked = 0; looked < 3; looked++) expect((await second.visit(link)).status).toBe(200)
  const head = await fetch(`${app.url}${link}`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const form = await first.begin(link)
  expect(form.status).toBe(200)
  for (const page of [await second.visit(link), await second.visit(link, {})]) {
    expect([page.status, page.text]).toEqual([410, expect.stringContaining('already been used')])
  }
  expect((await second.visit('/onboarding/session')).status).toBe(410)
  // The browser that opened it finds the form again.
  const back = await first.visit(link)
  expect([back.status, back.headers.get('location')]).toEqual([303, 'session'])
  expect((await first.send(form, ada)).status).toBe(303)
  expect((await first.visit(link)).text).toContain('already been used')
  expect((await first.visit('/onboarding/session')).status).toBe(410)
})

test('when many browsers press the button at once, one gets the form', async () => {
  const { link } = await newLink()
  const sent = await Promise.all(Array.from({ length: 10 }, () => openBrowser().visit(link, {})))
  expect(sent.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(410)])
})

test('when a form is sent many times at once, it is saved once', async () => {
  const { link, profileId } = await newLink()
  const browser = openBrowser()
  const form = await browser.begin(link)
  const sent = await Promise.all(Array.from({ length: 6 }, () => browser.send(form, ada)))
  // A person who clicked twice sees the answer to the second click: it must not say that nothing was saved.
  expect(sent.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    Array(6).fill([303, 'done']),
  )
  expect(sent.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1)
  const profile = (await app.get(`/v1/profiles/${profileId}`)).body
  expect([profile.first_name, profile.updated_at]).toEqual(['Ada', profile.created_at])
})

test('each fault stands beside its field, nothing is saved, and nothing that was typed is lost', async () => {
  const { id, link, profileId } = await newLink()
  const browser = openBrowser()
  const form = await browser.begin(link)
  const wrong = {
    ...ada,
    email: 'ada@',
    country: '',
    dob_day: '30',
    dob_month: '2',
    dob_year: '2000',
    first_name: script,
  }
  const page = await browser.send(form, wrong)
  expect(page.status).toBe(422)
  expect(page.text).not.toContain('<script')
  expect(page.text).toContain('<title>Error: Enter your details</title>')
  // A person who cannot see the page begins at the faults.
  expect(page.text).toMatch(/<div class="faults" role="alert" tabindex="-1" autofocus>/)
  const { form_token: _, ...typed } = fieldsOf(page.text)
  expect(typed).toMatchObject(wrong)
  const listed = [...page.text.matchAll(/<a href="#([a-z_]+)">/g)].map(([, name]) => name)
  expect(listed).toEqual(['email', 'country', 'dob_day'])
  for (const name of ['email', 'dob_day']) {
    const field = new RegExp(`<input id="${name}"[^>]*>`).exec(page.text)?.[0] ?? ''
    expect(field).toContain('aria-invalid="true"')
    expect(field).toContain(`aria-describedby="${name}-fault"`)
    expect(page.text).toContain(`<p class="fault" id="${name}-fault">`)
    expect(page.text).toContain(`<a href="#${name}">`)
  }
  expect((await app.get(`/v1/profiles/${profileId}`)).status).toBe(404)
  expect(await statusOf(id)).toBe('opened')
  const noDate = { dob_day: '', dob_month: '', dob_year: '' }
  const street = { address_line1: '1 Old Street', address_city: 'London', address_country: 'GB' }
  const bare = await browser.send(page, { ...ada, ...noDate, ...street })
  expect(bare.text).toContain('id="address_postal_code-fault">Enter the postal code. Every address')
  // Mended fields are no longer named as faults, and the others still are.
  const date = await browser.send(page, { ...wrong, email: ada.email, country: ada.country })
  expect([date.status, date.text]).toEqual([
    422,
    expect.stringContaining('id="dob_day-fault">Enter a date that exists'),
  ])
  expect([...date.text.matchAll(/ id="[a-z_]+-fault"/g)]).toHaveLength(1)
  const fixed = await browser.send(date, { dob_day: '28' })
  expect(fixed.status).toBe(303)
  expect((await app.get(`/v1/profiles/${profileId}`)).body.first_name).toBe(script)
})

test('no two fields have one label, and an optional group says that all of it or none is needed', async () => {
  const { text } = await openBrowser().begin((await newLink()).link)
  const labels = [...text.matchAll(/<label for="([^"]*)">([^<]*)/g)].map(([, , label = '']) => label.trim())
  expect(labels).toHaveLength(fieldNames.length)
  expect(new Set(labels).size).toBe(labels.length)
  expect(text).toMatch(/id="address-hint">[^<]*leave all of it empty/)
  expect(text).toMatch(/id="dob-hint">[^<]*Fill in all three fields, or none/)
  expect(text).not.toContain('autofocus')
})

test('an update shows all known values but the date of birth, and saves only the changed ones', async () => {
  const address = {
    address_type: 'both',
    line1: '1 Old Street',
    city: 'London',
    postal_code: 'EC1V 9HL',
    country: 'GB',
  }
  const known = {
    ...ada,
    first_name: script,
    phone: '+442079460958',
    dob: { day: 1, month: 2, year: 1990 },
    addresses: [address],
  }
  const profile = (await app.post('/v1/profiles', known)).body
  const { id, link } = await newLink({ use_case: { type: 'account_update' }, profile: { id: profile.id } })
  const browser = openBrowser()
  const form = await browser.begin(link)
  expect(form.text).not.toContain('<script')
  expect(form.text).toContain('Leave these fields empty to keep it.')
  expect(fieldsOf(form.text)).toMatchObject({
    first_name: script,
    phone: '+442079460958',
    dob_year: '',
    address_line1: '1 Old Street',
    address_country: 'GB',
  })
  expect(
    (await browser.send(form, { first_name: 'Augusta', phone: '', address_line1: '2 New Street' })).status,
  ).toBe(303)
  const changed = (await app.get(`/v1/profiles/${profile.id}`)).body
  expect(changed).toMatchObject({
    first_name: 'Augusta',
    last_name: 'Lovelace',
    phone: null,
    dob_provided: true,
  })
  expect(
    changed.addresses.map((one: { line1: string; is_default: boolean }) => [one.line1, one.is_default]),
  ).toEqual([
    ['1 Old Street', false],
    ['2 New Street', true],
  ])
  expect(await statusOf(id)).toBe('completed')
})

test('an update that changes no address adds none, and a profile closed meanwhile is left alone', async () => {
  const address = {
    address_type: 'both',
    line1: '1 Old Street',
    city: 'London',
    postal_code: 'EC1V 9HL',
    country: 'GB',
  }
  const profile = (await app.post('/v1/profiles', { ...ada, addresses: [address] })).body
  const link = () => newLink({ use_case: { type: 'account_update' }, profile: { id: profile.id } })
  const [one, two] = [await link(), await link()]
  const [first, second] = [openBrowser(), openBrowser()]
  const forms = [await first.begin(one.link), await second.begin(two.link)] as const
  expect((await first.send(forms[0], { last_name: 'King' })).status).toBe(303)
  const changed = (await app.get(`/v1/profiles/${profile.id}`)).body
  expect([changed.last_name, changed.addresses.length]).toEqual(['King', 1])
  await app.post(`/v1/profiles/${profile.id}/archive`)
  const late = await second.send(forms[1], { last_name: 'Byron' })
  expect([late.status, late.text]).toEqual([410, expect.stringContaining('no longer be changed')])
  expect((await app.get(`/v1/profiles/${profile.id}`)).body.last_name).toBe('King')
})

test('a revoked link says so, and its open form is not taken', async () => {
  const { id, link, profileId } = await newLink()
  const browser = openBrowser()
  const form = await browser.begin(link)
  await app.post(`/v1/onboarding_links/${id}/revoke`)
  const pages = [
    await browser.send(form, ada),
    await browser.visit('/onboarding/session'),
    await browser.visit(link),
    await openBrowser().visit(link),
  ]
  for (const page of pages) {
    expect([page.status, page.text]).toEqual([410, expect.stringContaining('This link was withdrawn')])
    expect(page.text).toContain('Nothing was saved')
  }
  expect((await app.get(`/v1/profiles/${profileId}`)).status).toBe(404)
})

test('an expired link says so, and so does the API, also before a worker has marked it', async () => {
  const { id, link } = await newLink()
  await run(
    `update onboarding_links set expires_at = prokura_now(), due_at = prokura_now() where id = $1`,
    id,
  )
  for (const page of [await openBrowser().visit(link), await openBrowser().visit(link, {})]) {
    expect([page.status, page.text]).toEqual([410, expect.stringContaining('has expired')])
  }
  expect(await statusOf(id)).toBe('expired')
  expect(
    (await app.get('/v1/onboarding_links?status=expired')).body.data.map((one: { id: string }) => one.id),
  ).toContain(id)
  const revoked = await app.post(`/v1/onboarding_links/${id}/revoke`)
  expect([revoked.status, revoked.body.detail.code]).toEqual([409, 'onboarding_link_expired'])
})

test('a form is taken from our own page alone: no token, another session, another site are refused', async () => {
  const { id, link } = await newLink()
  const other = await newLink()
  const [browser, attacker] = [openBrowser(), openBrowser()]
  const form = await browser.begin(link)
  const foreign = await attacker.begin(other.link)
  expect((await browser.visit('/onboarding/session', ada)).status).toBe(403)
  expect((await browser.send(foreign, ada)).status).toBe(403)
  const values = { ...fieldsOf(form.text), ...ada }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]) {
    expect((await browser.visit('/onboarding/session', values, headers)).status).toBe(403)
  }
  // The page of another site cannot make a browser use up a link, and so take over the session of the link's maker.
  const third = await newLink()
  expect((await openBrowser().visit(third.link, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect([await statusOf(id), await statusOf(third.id)]).toEqual(['opened', 'pending'])
})

test('every page says what a browser may do with it, and runs and loads nothing', async () => {
  const { link } = await newLink()
  const browser = openBrowser()
  const cookies = await fetch(`${app.url}${link}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(),
  })
  expect(cookies.headers.get('set-cookie')).toMatch(
    /^prokura_onboarding=onbs_[0-9A-Za-z]{33}; Path=\/onboarding; Max-Age=1800; HttpOnly; SameSite=Strict$/,
  )
  const fresh = await newLink()
  const welcome = await browser.visit(fresh.link)
  const form = await browser.begin(fresh.link)
  const pages = [
    welcome,
    form,
    await browser.send(form, {}),
    await browser.visit(link),
    await browser.visit('/onboarding/nothing'),
    await browser.visit('/onboarding/done'),
  ]
  for (const { headers, text } of pages) {
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; style-src 'sha256-")
    expect(policy).toContain("form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
    expect(policy).not.toMatch(/script-src|unsafe/)
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(text).not.toMatch(/<script|<img|<link|\bon[a-z]+=|style="|https?:\/\//)
    expect(openTags(text)).toEqual([])
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const labels = [...text.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id)
    const fields = [...text.matchAll(/<(?:input|select) id="([^"]+)"/g)].map(([, id]) => id)
    expect(labels).toEqual(fields)
    // Faults are listed in the order in which their fields stand.
    if (fields.length > 0) expect(fields).toEqual([...fieldNames])
    for (const [, described = ''] of text.matchAll(/aria-describedby="([^"]+)"/g))
      for (const id of described.split(' ')) expect(ids).toContain(id)
    expect(Buffer.byteLength(text)).toBeLessThan(32_000)
  }
})

test('a body that is no form is refused in words, and names of accounts are text', async () => {
  const account = await app.newAccount(script)
  const { link } = await newLink({ use_case: { type: 'account_onboarding' } }, account.keys.secret_test)
  const welcome = await openBrowser().visit(link)
  expect(welcome.text).not.toContain('<script')
  expect(textOf(welcome.text)).toContain(script)
  const json = await fetch(`${app.url}${link}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect([json.status, json.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  const large = await fetch(`${app.url}${link}`, {
    method: 'POST',
    body: new URLSearchParams({ a: 'x'.repeat(70_000) }),
  })
  expect(large.status).toBe(400)
})

/** The tags that are never closed, or closed in the wrong order. */
function openTags(text: string): string[] {
  const open: string[] = []
  for (const [, slash, name = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (['meta', 'input'].includes(name)) continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) return [name]
  }
  return open
}

async function run(text: string, ...values: unknown[]): Promise<void> {
  await app.parts.pools.single({ name: '', text, values })
}

test('unknown links are counted and slowed, and one that exists opens all the same', async () => {
  const { body } = await app.post('/v1/onboarding_links', { use_case: { type: 'account_onboarding' } })
  const browser = openBrowser()
  const guess = (number: number) => browser.visit(`/onboarding/onb_${String(number).padStart(32, '0')}`)
  let page = await guess(0)
  for (let number = 1; number < 40 && page.status === 404; number++) page = await guess(number)
  expect(page.status).toBe(429)
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await browser.visit(new URL(body.url).pathname)).status).toBe(200)
  expect((await guess(41)).status).toBe(429)
})
