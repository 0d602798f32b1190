import { expect, test } from 'vitest'
import type { ChatPart } from '../parts.ts'
import { modelMessages } from './model-messages.ts'

type Given = Parameters<typeof modelMessages>[0]

/** A chat in which "Which soap?" was asked, and so much was answered. */
function told(...answer: ChatPart[]) {
  const wish = { id: 'msg_1', run_id: 'run_1', role: 'user', parts: [{ type: 'text', text: 'Which soap?' }] }
  const own = { id: 'msg_2', run_id: 'run_1', role: 'assistant', parts: answer }
  const messages = answer.length === 0 ? [wish] : [wish, own]
  // Only these columns are read.
  const given = { chat: { context: null }, messages, wish, run: { id: 'run_1' } } as unknown as Given
  return modelMessages(given)
}

const said: ChatPart = { type: 'text', text: 'Olive soap is mild.' }
const call: ChatPart = { type: 'tool_call', id: 'call_1_1', name: 'v1_search_catalog', arguments: {} }
const result: ChatPart = {
  type: 'tool_result',
  id: 'call_1_1',
  name: 'v1_search_catalog',
  is_error: false,
  result: { products: [] },
}

test('the conversation never ends with words of the model itself: an answer that broke off is asked for the rest', () => {
  expect(told().map(({ role }) => role)).toEqual(['user'])
  expect(told(call, result).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  const broken = told(said)
  expect(broken.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(broken.at(-1)).toEqual({ role: 'user', text: expect.stringContaining('Go on from there') })
  expect(told(call, result, said).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
})
