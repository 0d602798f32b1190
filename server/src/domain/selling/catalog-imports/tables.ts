/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = [
  'catalog_import_errors',
  'catalog_import_pieces',
  'catalog_import_uploads',
  'catalog_imports',
] as const
