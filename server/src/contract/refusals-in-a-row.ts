/** How many cards and codes may be refused in a row in components without a client secret, for one profile or from one address. */
export const refusalsInARowMax = 3

/** After this they count no more. */
export const refusalSeconds = 3_600

/** The same at every door, whatever was refused: nobody learns here what is wrong with a card. */
export const tooManyRefused =
  'Too many cards or codes were refused here. Have your server ask for a client secret (v1_create_element_client_secret) and open the component with it, or try again in an hour.'
