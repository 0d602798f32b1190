import { expect, test } from 'vitest'
import { messageReader } from './message-reader.ts'

const megabyte = 1_048_576

function reading(nowMs: () => number = () => 0) {
  const heard: string[] = []
  const read = messageReader((message) => heard.push(message), nowMs)
  return { heard, read: (text: string | Buffer) => read(Buffer.from(text)) }
}

test('messages are cut at their ends, wherever the chunks are', () => {
  const { heard, read } = reading()
  for (const part of ['{"id":1}\0{"i', 'd":2}', '\0', '{"ü":3}\0{}\0']) expect(read(part)).toBe(true)
  expect(heard).toEqual(['{"id":1}', '{"id":2}', '{"ü":3}', '{}'])
})

test('a message of 32 MB is heard, and a longer one is not even kept', () => {
  const { heard, read } = reading()
  expect(read(Buffer.alloc(32 * megabyte, 120))).toBe(true)
  expect(read('\0')).toBe(true)
  expect(heard.map(({ length }) => length)).toEqual([32 * megabyte])
  expect(read(Buffer.alloc(32 * megabyte, 120))).toBe(true)
  expect(read('x')).toBe(false)
})

test('what nobody listens to is passed over, however long and however it is cut', () => {
  const { heard, read } = reading()
  const said = `{"method":"Runtime.consoleAPICalled","params":{"x":"${'x'.repeat(40 * megabyte)}"}}\0`
  for (const part of [said.slice(0, 9), said.slice(9, 30), said.slice(30), '{"method":"Runtime.consoles"}\0'])
    expect(read(part)).toBe(true)
  expect(heard).toEqual(['{"method":"Runtime.consoles"}'])
})

test('a flood ends it, of bytes or of messages, and what comes slowly does not', () => {
  const chunk = `${'x'.repeat(megabyte - 1)}\0`
  const bytes = reading()
  const taken = Array.from({ length: 200 }, () => bytes.read(chunk)).indexOf(false)
  expect(taken).toBe(128)
  const messages = reading()
  expect(messages.read('{}\0'.repeat(100_000))).toBe(true)
  expect(messages.read('{}\0')).toBe(false)
  let nowMs = 0
  const slow = reading(() => nowMs)
  for (let count = 0; count < 160; count++, nowMs += 100) expect(slow.read(chunk)).toBe(true)
})
