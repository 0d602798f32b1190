import { Client } from 'pg'
import { expect, test } from 'vitest'
import { requiredVersion } from '../../src/platform/database/migrate.ts'
import { currentVersion } from '../../src/platform/database/schema-version.ts'
// By this path it counts as a test that needs PostgreSQL.
import { createTestDatabase } from '../harness/database.ts'

test('databases made at the same time are apart, carry the whole schema, and are gone after the drop', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()])
  const clients = await Promise.all(databases.map(({ url }) => connect(url)))
  for (const client of clients) {
    expect(await currentVersion(client)).toBe(requiredVersion())
    // Would fail in a database that another one had used.
    await client.query('create table mine (id int)')
  }
  await Promise.all(databases.map((database) => database.drop()))
  for (const { url } of databases) await expect(connect(url)).rejects.toThrow('does not exist')
})

test('an empty database has no schema', async () => {
  const database = await createTestDatabase({ empty: true })
  const client = await connect(database.url)
  expect(await currentVersion(client)).toBe(0)
  await database.drop()
})

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // The drop cuts it off.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
