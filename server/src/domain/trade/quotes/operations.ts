import { cancelQuote } from './cancel-quote.ts'
import { createQuote } from './create-quote.ts'
import { createQuoteResponse } from './create-quote-response.ts'
import { getQuote, listQuotes } from './get-quotes.ts'
import { refreshQuote } from './refresh-quote.ts'

export const quoteOperations = [
  createQuote,
  listQuotes,
  getQuote,
  refreshQuote,
  cancelQuote,
  createQuoteResponse,
]
