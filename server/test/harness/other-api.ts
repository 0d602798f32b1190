import { createApi } from '../../src/app.ts'
import { openParts } from '../../src/parts.ts'
import { createHints, type PgHints } from '../../src/platform/hints/pg-hints.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { envKeyProvider } from '../../src/platform/secrets/keys.ts'
import { type TestApp, testKeys } from './app.ts'

/** Hints through PostgreSQL, as between processes, of any number of databases. */
export class SharedHints {
  readonly #opened: PgHints[] = []

  readonly open = async (databaseUrl: string): Promise<PgHints> => {
    const opened = await createHints({ directUrl: databaseUrl, log: silentLog() })
    this.#opened.push(opened)
    return opened
  }

  async close(): Promise<void> {
    for (const opened of this.#opened) await opened.close()
  }
}

type OtherApi = { readonly url: string; stop(): Promise<void> }

/** A second API beside the app's on its database, with connections and hints of its own. It learns of changes as another process does. */
export async function startOtherApi(app: TestApp, hints: SharedHints): Promise<OtherApi> {
  const parts = await openParts({
    databaseUrl: app.databaseUrl,
    role: 'other',
    keys: envKeyProvider(testKeys),
    hints: await hints.open(app.databaseUrl),
    settings: app.parts.settings,
    testClock: false,
    writers: 2,
    readers: 1,
    onDatabaseError: () => undefined,
  })
  const api = createApi(parts, {
    anonymousDiscovery: true,
    onRequest: () => undefined,
    onBug: (error) => void app.bugs.push(error),
  })
  return {
    url: await api.http.listen({ host: '127.0.0.1', port: 0 }),
    async stop() {
      await api.stop()
      await parts.close()
    },
  }
}
