import { archiveMerchantCatalogItem } from './archive-item.ts'
import { createMerchantCatalogItem } from './create-item.ts'
import { getMerchantCatalogItem } from './get-item.ts'
import { listMerchantCatalogItems } from './list-items.ts'
import { publishMerchantCatalogItem } from './publish-item.ts'
import { updateMerchantCatalogItem } from './update-item.ts'

export const merchantCatalogOperations = [
  createMerchantCatalogItem,
  listMerchantCatalogItems,
  getMerchantCatalogItem,
  updateMerchantCatalogItem,
  publishMerchantCatalogItem,
  archiveMerchantCatalogItem,
]
