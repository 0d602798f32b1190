export { addItem } from './add-item.ts'
export type { Upserted } from './decide-upsert.ts'
export { type ItemRow, MerchantCatalogItemType, type Variant } from './item.ts'
export { exportedItem, ItemImport } from './item-import.ts'
export { selectItem } from './items.sql.ts'
export { publishItem } from './publish-item.ts'
export { catalogCurrency, readItemsAfter, readItemsOfVariants } from './read-items.ts'
export {
  Inputs,
  inputsMax,
  missingInputs,
  RequiredInput,
  RequiredInputWrite,
  requiredInputsMax,
  requiredInputsOf,
} from './required-inputs.ts'
export { type ResolvedUrl, resolveItemUrls } from './resolve-urls.ts'
export { type Taken, takeStock } from './take-stock.ts'
export { upsertItems } from './upsert-items.ts'
export { findVariant, stockFor, type VariantChoice } from './variants.ts'
