import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostGuard } from '../../src/surfaces/v1/mcp/host-guard.ts'
import { createProtocol } from '../../src/surfaces/v1/mcp/protocol.ts'
import type { ToolCaller } from '../../src/surfaces/v1/mcp/tool-caller.ts'
import { type Compared, differences, isSame, type Outcome, withoutUnread } from './mcp/differences.ts'
import { malformed, newest, older, type Sent, wellFormed } from './mcp/messages.ts'
import { answerOfPackage, type Spoken } from './mcp/package-server.ts'

const answerOfOurs = createProtocol(() => undefined)

function callerWith(calls: string[]): ToolCaller {
  return {
    async call(name, args) {
      calls.push(JSON.stringify([name, args]))
      if (name === 'unknown') return null
      if (name === 'broken') throw new Error('a bug')
      return { body: JSON.stringify({ name, args }), isError: name === 'refused', meta: { http_status: 200 } }
    },
    list: () => [JSON.stringify({ name: 'good', description: 'd', inputSchema: { type: 'object' } })],
    whyNoTools: () => null,
  }
}

function outcomeOf({ status, type, body }: Spoken, calls: readonly string[]): Outcome {
  const isStream = type === 'text/event-stream'
  const texts = isStream ? (body.match(/^data: .*$/gm) ?? []).map((line) => line.slice(6)) : [body]
  const messages = body === '' ? [] : texts.map((text) => JSON.parse(text))
  return {
    status,
    type: body === '' ? null : type,
    said: messages.map(({ error, ...rest }) => (error ? { ...rest, error: error.code } : rest)),
    code: messages.at(-1)?.error?.code ?? null,
    calls,
  }
}

type Answering = (headers: Sent['headers'], message: Sent['message'], caller: ToolCaller) => Promise<Spoken>

async function ask(answer: Answering, { headers, message }: Sent): Promise<Outcome> {
  const calls: string[] = []
  return outcomeOf(await answer(headers, message, callerWith(calls)), calls)
}

async function compare(sent: Sent): Promise<Compared> {
  return {
    sent,
    own: await ask(answerOfOurs, sent),
    theirs: await ask(answerOfPackage, sent),
    theirsUnread: await ask(answerOfPackage, withoutUnread(sent)),
  }
}

describe.each([newest, ...older, null])('of revision %s', (revision) => {
  test('what a client sends is answered as the official package answers it', async () => {
    const sameAnswer = fc.asyncProperty(wellFormed(revision), async (sent) => {
      const { own, theirs } = await compare(sent)
      expect(own).toEqual(theirs)
    })
    await fc.assert(sameAnswer, { numRuns: 300 })
  })

  test('what no client should send is too, but for the differences that are named', async () => {
    const sameOrNamed = fc.asyncProperty(malformed(revision), async (sent) => {
      const compared = await compare(sent)
      if (isSame(compared.own, compared.theirs)) return
      const unread = { ...compared, theirs: compared.theirsUnread }
      const named = differences.filter(({ explains }) => explains(compared) || explains(unread))
      expect(named.length, JSON.stringify(compared)).toBeGreaterThan(0)
    })
    await fc.assert(sameOrNamed, { numRuns: 1000 })
  })
})

test.each(differences)('$name is a difference that there is', async ({ example, explains, why }) => {
  const compared = await compare(example)
  expect(isSame(compared.own, compared.theirs)).toBe(false)
  expect([explains(compared), why === '']).toEqual([true, false])
})

test('hosts and origins are judged as the official package judges them', () => {
  const allowed = ['shop.example', 'localhost', '127.0.0.1', '[::1]']
  const isAllowed = hostGuard('https://shop.example:8443/base')
  const names = fc.constantFrom(
    ...allowed,
    'SHOP.example',
    'evil.example',
    '127.1',
    '::1',
    '[::2]',
    'null',
    '',
  )
  const host = fc.oneof(
    fc.constant(undefined),
    fc
      .tuple(names, fc.constantFrom('', ':80', ':x', '/', '@evil.example', '?', ' '))
      .map((each) => each.join('')),
    fc.string(),
  )
  const origin = fc.oneof(
    host,
    fc
      .tuple(fc.constantFrom('http://', 'https://', 'chrome-extension://', 'file://', 'x:'), host)
      .map((each) => each.join('')),
  )
  const sameVerdict = fc.property(host, origin, (given, from) => {
    const theirs = validateHostHeader(given, allowed).ok && validateOriginHeader(from, allowed).ok
    expect(isAllowed({ host: given, origin: from })).toBe(theirs)
  })
  fc.assert(sameVerdict, { numRuns: 5000 })
})
