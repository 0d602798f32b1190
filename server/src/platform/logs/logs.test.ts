import { expect, test } from 'vitest'
import { Secret } from '../secrets/secret.ts'
import { createLog, preparedLine } from './logs.ts'

function linesOf(write: (log: ReturnType<typeof createLog>) => void): {
  lines: Record<string, unknown>[]
  text: string
} {
  const written: string[] = []
  const log = createLog({
    level: 'info',
    role: 'test',
    destination: { write: (line) => void written.push(line) },
  })
  write(log)
  const text = written.join('')
  return {
    text,
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}

test('a line is JSON with its level by name, its role and its time', () => {
  const { lines } = linesOf((log) => log.info({ shard: 3 }, 'took a shard'))
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      role: 'test',
      shard: 3,
      msg: 'took a shard',
    },
  ])
})

test('secrets never reach a line: not by type, not by name, not in a child, not inside an error', () => {
  const { text } = linesOf((log) => {
    log.info({ anything: new Secret('hunter2') }, 'by type')
    log.info(
      { token: 'hunter2', request: { authorization: 'Bearer hunter2', deep: { password: 'hunter2' } } },
      'by name',
    )
    log.child({ card: { number: 'hunter2' } }).warn({ cvc: 'hunter2' }, 'in a child')
    log.error(
      { err: Object.assign(new Error('x'), { detail: 'Key (email)=(hunter2)', row: { dob: 'hunter2' } }) },
      'an error',
    )
  })
  expect(text).not.toContain('hunter2')
  expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(6)
})

test('an error is logged with its causes', () => {
  const { lines } = linesOf((log) => {
    log.error(
      { err: new Error('outer', { cause: Object.assign(new Error('inner'), { code: '40P01' }) }) },
      'failed',
    )
  })
  expect(lines[0]?.err).toMatchObject({
    type: 'Error',
    message: 'outer',
    cause: { message: 'inner', code: '40P01' },
  })
})

test('a prepared line is the same line, whatever is in its fields, and one that may hold a secret is looked at', () => {
  const written: string[] = []
  const sink = {
    level: 'info',
    role: 'test',
    destination: { write: (line: string) => void written.push(line) },
  } as const
  const names = ['status', 'client', 'code', 'waited_ms'] as const
  const write = preparedLine(sink, 'request', names)
  const log = createLog(sink)
  const values = [
    { status: 200, client: '::1', code: null },
    { status: 404, client: 'a "quoted"\n\u2028 name\\', code: 'not_found', waited_ms: 1.5 },
    { status: 500, client: 'https://user:hunter2@example.com/?token=hunter2', code: 'Bearer hunter2' },
  ]
  for (const fields of values) {
    write(fields)
    log.info(fields, 'request')
  }
  const timeless = written.map((line) => line.replace(/"time":"[^"]*"/, '"time":""'))
  expect(timeless.length).toBe(2 * values.length)
  for (let at = 0; at < timeless.length; at += 2) expect(timeless[at]).toBe(timeless[at + 1])
  expect(written.join('')).not.toContain('hunter2')
  expect(() => preparedLine(sink, 'request', ['api_key'])).toThrow('api_key')
  preparedLine({ ...sink, level: 'warn' }, 'request', names)({ status: 200 })
  expect(written.length).toBe(2 * values.length)
})
