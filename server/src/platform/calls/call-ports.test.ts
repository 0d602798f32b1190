import { expect, test } from 'vitest'
import { bind, bindPorts, definePort } from '../../contract/port.ts'
import { CallPorts } from './call-ports.ts'

type Source = { find(word: string): Promise<string>; readonly place: string }
const Source = definePort<Source>('source')
const Other = definePort<Source>('other')

function portsOf(find: Source['find'], budgetMs = 60_000) {
  let nowMs = 0
  const ports = new CallPorts({
    outside: { ports: [Source], budgetMs },
    operation: { id: 'v1_find_thing' },
    bound: bindPorts([bind(Source, { find, place: 'near' }), bind(Other, { find, place: 'far' })]),
    nowMs: () => nowMs,
  })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { ports, pass }
}

test('a port answers what it is bound to', async () => {
  const { ports } = portsOf(async (word) => `${word}!`)
  expect(ports.port(Source).place).toBe('near')
  expect(await ports.port(Source).find('lamp')).toBe('lamp!')
})

test('a port that the operation does not declare is refused, though the process has bound it', () => {
  const { ports } = portsOf(async () => '')
  expect(() => ports.port(Other)).toThrow('does not declare the port "other"')
})

test('a port is not called while the transaction is open, and can be called again when it has ended', async () => {
  const asked: string[] = []
  const { ports } = portsOf(async (word) => {
    asked.push(word)
    return word
  })
  const tx = { isOpen: true }
  ports.watch(tx)
  await expect(ports.port(Source).find('inside')).rejects.toThrow('inside its transaction')
  tx.isOpen = false
  await ports.port(Source).find('after')
  expect(asked).toEqual(['after'])
})

test('no transaction is opened during a call to a port', async () => {
  const answered = Promise.withResolvers<string>()
  const { ports } = portsOf(() => answered.promise)
  const asking = ports.port(Source).find('lamp')
  expect(() => ports.assertQuiet()).toThrow('while it asks a port')
  answered.resolve('here')
  await asking
  expect(() => ports.assertQuiet()).not.toThrow()
})

test('all port calls of one call share its time, and one after that time is refused as busy without a call', async () => {
  const asked: string[] = []
  const find = async (word: string) => {
    asked.push(word)
    return word
  }
  const { ports, pass } = portsOf(find, 1_000)
  await ports.port(Source).find('first')
  pass(600)
  await ports.port(Source).find('second')
  pass(600)
  await expect(ports.port(Source).find('third')).rejects.toMatchObject({ code: 'busy' })
  expect(asked).toEqual(['first', 'second'])
})

test('a port that does not answer in time is not waited for', async () => {
  const { ports } = portsOf(() => new Promise(() => undefined), 1)
  await expect(ports.port(Source).find('lamp')).rejects.toMatchObject({ code: 'busy' })
})
