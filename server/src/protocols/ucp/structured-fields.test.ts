import { expect, test } from 'vitest'
import { parseDictionary, serializeMember } from './structured-fields.ts'
import { readUcpAgent } from './ucp-agent.ts'

function again(text: string): string | null {
  const read = parseDictionary(text)
  return read && [...read].map(([key, member]) => `${key}=${serializeMember(member)}`).join(', ')
}

test.each([
  ['a=1', 'a=1'],
  ['a=-15;x;y="z"', 'a=-15;x;y="z"'],
  ['  a="q\\"\\\\" ,\tb=tok/en:x', 'a="q\\"\\\\", b=tok/en:x'],
  ['a=(  "x"  "y";z=?0 );k=:AQI=:', 'a=("x" "y";z=?0);k=:AQI=:'],
  ['a', 'a=?1'],
  ['a=1, b=2, a=3', 'a=3, b=2'],
  ['a=1.5', 'a=1.5'],
  ['', ''],
])('%s is read', (text, said) => {
  expect(again(text)).toBe(said)
})

test.each([
  'A=1',
  'a=',
  'a=1,',
  'a=1 b=2',
  'a="',
  'a="\u00e9"',
  'a="\\x"',
  'a=:x:',
  'a=(1',
  'a=("x""y")',
  'a=:!:',
  'a=?2',
  '=1',
  'a=1234567890123456',
])('%s is none', (text) => {
  expect(parseDictionary(text)).toBeNull()
})

test('a header that is longer than any is none', () => {
  expect(parseDictionary(`a="${'x'.repeat(9000)}"`)).toBeNull()
})

test('the agent of a request is the profile it names, with or without parameters', () => {
  const url = 'https://platform.example/.well-known/ucp'
  expect(readUcpAgent(`profile="${url}"`)).toBe(url)
  expect(readUcpAgent(`profile="${url}"; version="2026-01-11"`)).toBe(url)
  expect(readUcpAgent(`name="x", profile="${url}"`)).toBe(url)
  expect(readUcpAgent(`profile=${url}`)).toBeNull()
  expect(readUcpAgent('profile=token')).toBeNull()
  expect(readUcpAgent(url)).toBeNull()
})
