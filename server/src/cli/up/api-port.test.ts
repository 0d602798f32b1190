import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { apiPort, usualPort } from './api-port.ts'
import { freePort } from './free-port.ts'

const folder = (port: number | null) => ({
  file: (name: string) => `/state/${name}`,
  read: <T>() => (port === null ? null : ({ PORT: String(port) } as T)), // what an earlier start has written
})

test('a port that is kept from the last start is said at each start, with the file that keeps it', async () => {
  const port = await freePort()
  const said: string[] = []
  expect(await apiPort(null, folder(port), (line) => said.push(line))).toBe(port)
  expect(said).toEqual([
    `The API uses port ${port}, as at the last start. /state/environment.json keeps it; --port names another one`,
  ])
})

test('a kept port that is taken is reported, with the port that is used instead', async () => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const said: string[] = []
  const used = await apiPort(null, folder(port), (line) => said.push(line))
  expect(used).not.toBe(port)
  expect(said).toEqual([`Port ${port} is taken, so the API uses port ${used}`])
})

test('a named port prints no note, and a folder without a port has the default', async () => {
  const said: string[] = []
  const port = await freePort()
  expect(await apiPort(port, folder(1), (line) => said.push(line))).toBe(port)
  expect([said, usualPort(folder(null)), usualPort(folder(4000))]).toEqual([[], 3000, 4000])
})
