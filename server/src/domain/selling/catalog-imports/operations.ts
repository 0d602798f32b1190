import { cancelMerchantCatalogImport } from './cancel-import.ts'
import { createMerchantCatalogImport } from './create-import.ts'
import { exportMerchantCatalogItems } from './export-items.ts'
import {
  getMerchantCatalogImport,
  listMerchantCatalogImportErrors,
  listMerchantCatalogImports,
} from './get-imports.ts'

export const catalogImportOperations = [
  createMerchantCatalogImport,
  listMerchantCatalogImports,
  getMerchantCatalogImport,
  listMerchantCatalogImportErrors,
  cancelMerchantCatalogImport,
  exportMerchantCatalogItems,
]
