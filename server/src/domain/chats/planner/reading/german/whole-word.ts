/** One of some words or phrases, where no letter stands before or after it. */
export const word = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'u')
