import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { CatalogImport } from './import.ts'

/** The changes that a batch of a file made to the catalog. */
export type ImportedBatch = {
  id: string
  object: 'catalog_import_batch'
  mode: string
  progress: {
    bytes: number
    rows: number
    created: number
    updated: number
    unchanged: number
    failed: number
  }
  /** Ids of catalog items. */
  created: string[]
  updated: string[]
}

const importEvent = defineEvent<CatalogImport>()
const batchEvent = defineEvent<ImportedBatch>()

/** What can happen to the import of a file. */
export const importEvents = {
  'catalog_import.created': importEvent({ summary: 'A file was taken in.' }),
  'catalog_import.started': importEvent({ summary: 'The import of a file began.' }),
  'catalog_import.progressed': batchEvent({ summary: 'A piece of a file was imported.' }),
  'catalog_import.completed': importEvent({ summary: 'A file was imported.' }),
  'catalog_import.failed': importEvent({ summary: 'The import of a file failed.' }),
  'catalog_import.cancelled': importEvent({ summary: 'The import of a file was cancelled.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof importEvents> {}
}
