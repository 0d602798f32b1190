import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeV6 } from './ranges.ts'

/** The answers for a name. The n-th question of a type gets `answers[n]`, and later ones get the last. */
type Zone = Readonly<Record<string, Lie>>

export type Lie = {
  a?: readonly (readonly string[])[]
  aaaa?: readonly (readonly bigint[])[]
  /** The answer names this owner of the addresses. */
  cname?: string
  /** There is no answer. */
  silent?: boolean
}

type HostileDns = { server: string; asked(): number; stop(): Promise<void> }

const typeA = 1
const typeCname = 5
const typeAaaa = 28

/** A name server that lies, over UDP like a real one. */
export async function startHostileDns(zone: Zone): Promise<HostileDns> {
  const counts = new Map<string, number>()
  let asked = 0
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type, end } = questionOf(message)
    const lie = zone[name.toLowerCase()]
    asked += 1
    if (lie?.silent) return
    const nth = counts.get(`${name} ${type}`) ?? 0
    counts.set(`${name} ${type}`, nth + 1)
    socket.send(reply(message, end, lie ? recordsOf(lie, type, nth) : null), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function recordsOf({ a = [], aaaa = [], cname }: Lie, type: number, nth: number): Buffer[] {
  const pick = <T>(answers: readonly (readonly T[])[]): readonly T[] =>
    answers[Math.min(nth, answers.length - 1)] ?? []
  const owner = cname === undefined ? pointer : nameOf(cname)
  const alias = cname === undefined ? [] : [record(pointer, typeCname, nameOf(cname))]
  if (type === typeA) {
    return [...alias, ...pick(a).map((one) => record(owner, typeA, Buffer.from(one.split('.').map(Number))))]
  }
  if (type !== typeAaaa) return []
  return [...alias, ...pick(aaaa).map((one) => record(owner, typeAaaa, bytesOf(one)))]
}

/** To the question's name. */
const pointer = Buffer.from([0xc0, 12])

function nameOf(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function bytesOf(address: bigint): Buffer {
  const groups = writeV6(address).split(':')
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** With no lifetime, so that the next question may get another answer. */
function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt32BE(0, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

function reply(question: Buffer, end: number, records: readonly Buffer[] | null): Buffer {
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(records === null ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records?.length ?? 0, 6)
  return Buffer.concat([head, question.subarray(12, end), ...(records ?? [])])
}
