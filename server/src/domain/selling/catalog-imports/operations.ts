import { cancelMerchantCatalogImport } from './cancel-import.ts'
import { createMerchantCatalogImport } from './create-import.ts'
import { exportMerchantCatalogItems } from './export-items.ts'
import { getMerchantCatalogImport } from './get-import.ts'
import { listMerchantCatalogImportErrors } from './list-import-errors.ts'
import { listMerchantCatalogImports } from './list-imports.ts'

export const catalogImportOperations = [
  createMerchantCatalogImport,
  listMerchantCatalogImports,
  getMerchantCatalogImport,
  listMerchantCatalogImportErrors,
  cancelMerchantCatalogImport,
  exportMerchantCatalogItems,
]
