import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { writeInBatch } from './batch-writes.ts'

test('answers of one turn leave at its end, each whole and to whom it belongs', async () => {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    waiting.push(response.writeHead(200, { 'request-id': request.url }))
    if (waiting.length < 3) return
    for (const [index, one] of waiting.entries()) writeInBatch(one, `answer ${index}`)
    expect(waiting.map(({ writableEnded }) => writableEnded)).toEqual([false, false, false])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const asked = ['/a', '/b', '/c']
  const answers = await Promise.all(
    asked.map(async (path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      return { path, id: answer.headers.get('request-id'), text: await answer.text() }
    }),
  )
  for (const { path, id } of answers) expect(id).toBe(path)
  expect(answers.map(({ text }) => text).sort()).toEqual(['answer 0', 'answer 1', 'answer 2'])
  server.close()
})

test('an answer whose caller has gone keeps none of the others back', async () => {
  const gone = new AbortController()
  const left = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, response) => {
    response.writeHead(200)
    if (request.url === '/gone') {
      response.once('close', () => left.resolve(response))
      gone.abort()
    } else {
      void left.promise.then((first) => {
        writeInBatch(first, 'to nobody')
        writeInBatch(response, 'to somebody')
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [first, second] = await Promise.allSettled([
    fetch(`http://127.0.0.1:${port}/gone`, { signal: gone.signal }),
    fetch(`http://127.0.0.1:${port}/stays`).then((answer) => answer.text()),
  ])
  expect(first.status).toBe('rejected')
  expect(second).toEqual({ status: 'fulfilled', value: 'to somebody' })
  server.close()
})
