export { addItem } from './add-item.ts'
export type { ItemRow, Variant } from './item.ts'
export {
  selectItem,
  selectItemsByUrl,
  selectItemsOfVariants,
  selectPublishedItem,
  selectPublishedItemOfVariant,
} from './items.sql.ts'
export { publishItem } from './publish-item.ts'
export {
  Inputs,
  missingInputs,
  RequiredInput,
  RequiredInputWrite,
  requiredInputsMax,
  requiredInputsOf,
} from './required-inputs.ts'
export { type ResolvedUrl, resolveItemUrls } from './resolve-urls.ts'
export { type Taken, takeStock } from './take-stock.ts'
export { findVariant, stockFor, type VariantChoice } from './variants.ts'
