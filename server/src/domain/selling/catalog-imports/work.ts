import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { importWorkKind } from './create-import.ts'
import { type ClaimedImport, claimImports } from './imports.sql.ts'
import { runImport } from './run-import.ts'

/** Works through the files that merchants have sent, one of a merchant at a time. */
export const catalogImportWork: WorkKind<ClaimedImport> = {
  kind: importWorkKind,
  leaseSeconds: 30,
  // A file keeps a core busy; more at once would only make purchases wait.
  concurrency: 1,
  // The sender of a file waits for it, and wakes us; a lost hint costs no more than this many milliseconds.
  pollMs: 2000,
  claim: claimImports,
  ...leaseStatements('catalog_imports', { endLease: true }),
  step: runImport,
}
