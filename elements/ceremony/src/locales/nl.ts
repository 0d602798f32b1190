import type { WindowSentences } from './sentences.ts'

export const nl: WindowSentences = {
  loading: 'Een ogenblik…',
  askedBy: (site) => `Gevraagd door ${site}`,
  confirmPayment: 'Betaling bevestigen',
  makePasskey: 'Toegangssleutel voor uw kaart maken',
  confirmCard: 'Uw kaart bevestigen',
  passkeyText:
    'Met een toegangssleutel op dit apparaat bevestigt u aankopen met vingerafdruk, gezicht of pincode.',
  bankText: 'Uw bank vraagt op haar eigen pagina of u het bent. Daarna komt u hier terug.',
  shop: 'Winkel',
  atMost: 'Ten hoogste',
  card: 'Kaart',
  usePasskey: 'Bevestigen met toegangssleutel',
  createPasskey: 'Toegangssleutel maken',
  confirm: 'Verder naar uw bank',
  refuse: 'Nee',
  working: 'Wachten op uw apparaat…',
  proven: 'Bevestigd',
  provenText: (site) => `Sluit dit venster en ga verder op ${site}.`,
  refused: 'Niet bevestigd',
  refusedText: (site) => `Er is niets betaald. Sluit dit venster; op ${site} kunt u het opnieuw proberen.`,
  over: 'Dit venster is verlopen',
  overText:
    'Het is gebruikt of heeft te lang gewacht. Sluit het en begin opnieuw op de pagina waar u vandaan komt.',
  noPasskeys: 'Deze browser heeft geen toegangssleutels',
  noPasskeysText:
    'Open de pagina waar u vandaan komt in een actuele browser, op een apparaat met schermvergrendeling, of betaal met een andere kaart.',
  tryAgain: 'Opnieuw proberen',
  offline: 'Geen verbinding. Controleer of u online bent en probeer het opnieuw.',
  close: 'Venster sluiten',
  testBank: 'Testmodus: de bank is die van de sandbox.',
}
