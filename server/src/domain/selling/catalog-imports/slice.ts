import { defineSlice } from '../../../platform/slices/slice.ts'
import { importEvents } from './events.ts'
import { ids } from './ids.ts'
import { catalogImportOperations } from './operations.ts'
import { sweepImports } from './sweep-imports.ts'
import { catalogImportWork } from './work.ts'

export const catalogImports = defineSlice({
  name: 'selling/catalog-imports',
  about: "Reads a merchant's items from CSV and JSON files, in the background.",
  needs: ['selling/catalog'],
  ids,
  events: importEvents,
  operations: catalogImportOperations,
  work: () => [catalogImportWork],
  queues: [{ kind: 'catalog_imports', table: 'catalog_imports' }],
  sweeps: [sweepImports],
})
