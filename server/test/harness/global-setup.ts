import type { TestProject } from 'vitest/node'
import { startTestServer } from './database.ts'

/** One PostgreSQL per run; files clone their databases from its template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer()
  project.provide('adminUrl', server.adminUrl)
  project.provide('template', server.template)
  return server.stop
}
