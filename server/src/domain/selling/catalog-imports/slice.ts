import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { cancelMerchantCatalogImport } from './cancel-import.ts'
import { createMerchantCatalogImport } from './create-import.ts'
import { importEvents } from './events.ts'
import { exportMerchantCatalogItems } from './export-items.ts'
import {
  getMerchantCatalogImport,
  listMerchantCatalogImportErrors,
  listMerchantCatalogImports,
} from './get-imports.ts'
import { sweepImports } from './sweep-imports.sql.ts'
import { catalogImportWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  imp: { names: 'the import of a file' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const catalogImports = defineSlice({
  name: 'selling/catalog-imports',
  about: "Reads a merchant's items from CSV and JSON files, in the background.",
  needs: ['selling/catalog'],
  tables: ['catalog_import_errors', 'catalog_import_pieces', 'catalog_import_uploads', 'catalog_imports'],
  ids,
  events: importEvents,
  operations: [
    createMerchantCatalogImport,
    listMerchantCatalogImports,
    getMerchantCatalogImport,
    listMerchantCatalogImportErrors,
    cancelMerchantCatalogImport,
    exportMerchantCatalogItems,
  ],
  work: () => [catalogImportWork],
  queues: [{ kind: 'catalog_imports', table: 'catalog_imports' }],
  sweeps: [sweepImports],
})
