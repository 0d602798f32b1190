import { afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '../platform/config/config.ts'
import { databaseWords } from '../platform/database/words.ts'
import { servedDatabase } from './role-config.ts'

afterEach(() => void vi.unstubAllEnvs())

const url = 'postgres://prokura@localhost/prokura?host=%2Fnowhere'
const gone = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' })

test.each([
  ['only where it is set', url, 'correct DATABASE_URL.'],
  ['not where the address is that of a state folder', undefined, 'name another folder with --state DIR.'],
])('words about a database name DATABASE_URL %s', (_, set, remedy) => {
  vi.stubEnv('DATABASE_URL', set)
  expect(databaseWords(gone, servedDatabase(readConfig({ DATABASE_URL: url })))).toBe(
    `No PostgreSQL serves /nowhere (ENOENT): start the service with \`npm start\`, or ${remedy}`,
  )
})
