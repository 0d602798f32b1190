import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoCard, demoProfile } from '../../src/cli/commands/demo-person.ts'
import { makeStateDir } from '../harness/database.ts'
import { callService, runForJson } from '../harness/service-calls.ts'
import { type Service, serviceEnvironment, startService } from '../harness/up.ts'
import { startSite } from './integrator-site.ts'
import { inChromium, openChromium, openPage, until } from './open-chromium.ts'

let state: string
let service: Service
let site: Awaited<ReturnType<typeof startSite>>
let chromium: Awaited<ReturnType<typeof openChromium>>
/** Runs of chats pause before what they call, as long as this file is not there. */
let going: string

inChromium('a page with `useChat` as it is published', () => {
  beforeAll(async () => {
    state = await makeStateDir()
    going = join(state, '..', `going-${process.pid}`)
    writeFileSync(going, '')
    const pausing = { PROKURA_FAULTS: 'on', PROKURA_PAUSE_AT: 'chat.call.before', PROKURA_PAUSE_FILE: going }
    ;[service, chromium] = await Promise.all([
      startService({ state, args: ['--port', '0'], env: { ...serviceEnvironment(), ...pausing } }),
      openChromium(),
    ])
    site = await startSite(service, state)
  })
  afterAll(async () => {
    site?.stop()
    await service?.stop()
    await chromium?.close()
    for (const path of [state, going]) rmSync(path, { recursive: true, force: true })
  })

  test('shows what was found, and a purchase with the button for its person, and tells when it is bought', async () => {
    await addCard()
    const { page, faults, keys } = await openChat()
    await say(page, 'a steel mug')
    await shows(page, 'Which one do you want?')
    expect(await page.$$eval('.cards li', (cards) => cards.map((card) => card.textContent))).toEqual([
      expect.stringMatching(/1\. .*steel mug.*Color: Black, White/),
      expect.stringMatching(/2\. .*steel mug.*Color: Black, White/),
    ])
    await say(page, 'buy the first one')
    await shows(page, 'Which Color')
    await say(page, 'black')
    await shows(page, 'awaiting approval')
    await until(page, `document.querySelector('a.button')`)
    const button = await page.$eval('a.button', ({ href, target, rel }) => ({ href, target, rel }))
    expect(button).toEqual({
      href: expect.stringMatching(/^http:\/\/elements\.localhost:\d+\/elements\/v1\/approve#/),
      target: '_blank',
      rel: 'noopener noreferrer',
    })
    const { data } = await runForJson(state, ['purchases', 'list', '--status', 'awaiting_approval'])
    await runForJson(state, ['purchases', 'approve', data[0].purchase_intent_id, '--yes'])
    await shows(page, 'is bought.')
    await until(page, `!document.querySelector('a.button')`)
    // Opened again, the page has what was said, each message once.
    const said = () => page.$eval('[role=log]', (log) => log.textContent)
    const before = await said()
    await page.reload()
    await shows(page, 'is bought.')
    expect(await said()).toBe(before)
    expect([faults, keys()]).toEqual([[], []])
    await page.close()
  })

  test('Stop stops the run, also in a page that was opened again, and the chat goes on', async () => {
    const { page, faults } = await openChat()
    rmSync(going)
    await say(page, 'a brass lantern')
    await until(page, `document.querySelector('#stop')`)
    await shows(page, 'a brass lantern')
    // The answer has begun: what is resumed is the same run.
    await expect.poll(() => lastStatus()).toBe('writing')
    await page.reload()
    await until(page, `document.querySelector('#stop')`)
    await page.click('#stop')
    await until(page, `document.querySelector('#stop').disabled`)
    writeFileSync(going, '')
    await until(page, `!document.querySelector('#stop')`)
    await expect.poll(() => lastStatus()).toBe('stopped')
    await until(page, `document.querySelector('.assistant:last-child .notice')`)
    expect(await page.$$('.assistant:last-child .cards')).toEqual([])
    await say(page, 'thanks')
    await shows(page, 'You are welcome.')
    expect(faults).toEqual([])
    await page.close()
  })

  test("the site's server hands on nothing of a chat that is not its visitor's", async () => {
    const made = await callService(service, { method: 'POST', path: '/v1/profiles', body: demoProfile })
    const body = { profile_id: made.body.id, message: 'a steel mug' }
    const { body: chat } = await callService(service, { method: 'POST', path: '/v1/chats', body })
    const ask = (path: string, options: RequestInit = {}) => fetch(`${site.url}/chats${path}`, options)
    const message = { role: 'user', parts: [{ type: 'text', text: 'buy the first one' }] }
    const answers = [
      await ask(`/${chat.id}/messages`),
      await ask(`/${chat.id}/stream`),
      await ask(`/${chat.id}/events`),
      await ask(`/${chat.id}/stop`, { method: 'POST' }),
      await ask('', { method: 'POST', body: JSON.stringify({ id: chat.id, messages: [message] }) }),
      await ask('', { method: 'POST', body: JSON.stringify({ id: '../profiles', messages: [message] }) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  })
})

/** For the visitor, whom the site has made. */
async function addCard(): Promise<void> {
  const [profile] = (await runForJson(state, ['profiles', 'list'])).data
  const { base_url, keys } = service.ready
  const answer = await fetch(`${base_url}/v1/profiles/${profile.id}/payment_methods`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.secret_test}`, 'content-type': 'application/json' },
    body: JSON.stringify(demoCard),
  })
  expect(answer.status).toBe(201)
}

async function openChat() {
  const page = await openPage(chromium.browser)
  const faults: string[] = []
  const sent: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('response', (response) => {
    sent.push(JSON.stringify(response.request().headers()))
    void response.text().then(
      (text) => sent.push(text),
      () => undefined, // it has no body, or its page is gone
    )
  })
  await page.goto(`${site.url}/chat`)
  await until(page, `document.querySelector('form')`)
  return { page, faults, keys: () => sent.filter((text) => /pr_[sp]k_/.test(text)) }
}

async function say(page: Page, text: string): Promise<void> {
  await until(page, `document.querySelector('button[type=submit]')`)
  await page.type('input', text)
  await page.click('button[type=submit]')
}

function shows(page: Page, text: string): Promise<void> {
  return until(page, `document.querySelector('[role=log]').textContent.includes(${JSON.stringify(text)})`)
}

async function lastStatus(): Promise<string> {
  const { base_url, keys } = service.ready
  const ask = async (path: string) => {
    const answer = await fetch(`${base_url}${path}`, {
      headers: { authorization: `Bearer ${keys.secret_test}` },
    })
    return (await answer.json()) as { data: { id: string; message_count: number; status: string }[] }
  }
  const [chat] = (await ask('/v1/chats?limit=1')).data
  const { data } = await ask(`/v1/chats/${chat?.id}/messages?limit=200`)
  return data.at(-1)?.status ?? ''
}
