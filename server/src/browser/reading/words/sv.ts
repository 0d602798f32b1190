import type { ShopWords } from './shop-words.ts'

export const sv: ShopWords = {
  language: 'sv',
  actions: {
    add_to_cart: `lägg i varukorgen | lägg i varukorg | lägg i kundvagn | lägg i kundvagnen | lägg till i varukorgen | köp | lägg till i kundvagn
      | lägg i korgen | handla`,
    buy_now: `köp nu | köp direkt | beställ nu`,
    view_cart: `visa varukorg | varukorg | till varukorgen | kundvagn | se varukorgen | visa kundvagn | varukorgen | min varukorg | till kundvagnen`,
    checkout: `till kassan | gå till kassan | kassa | kassan | till betalning | gå till kassa | fortsätt till kassan`,
    continue: `fortsätt | nästa | gå vidare | vidare | fortsätt till betalning | fortsätt till leverans | nästa steg | spara och fortsätt | bekräfta
      | spara | fortsätt till frakt`,
    as_guest: `fortsätt som gäst | handla som gäst | köp som gäst | som gäst | gäst | utan konto | fortsätt utan konto | handla utan konto
      | fortsätt utan att logga in
      | utan att registrera dig | utan registrering`,
    sign_in: `logga in | inloggning`,
    place_order: `slutför köp | slutför köpet | betala | betala nu | genomför köp | bekräfta köp | lägg beställning | slutför beställning
      | beställ med betalningsskyldighet | skicka beställning | beställ | genomför köpet | bekräfta beställning | köp och betala | bekräfta betalning
      | slutför beställningen
      | skicka order | lägg order | bekräfta order | slutför order`,
    accept_cookies: `acceptera | acceptera alla | godkänn | godkänn alla | jag godkänner | acceptera alla cookies | tillåt alla | jag förstår
      | acceptera cookies | okej`,
    reject_cookies: `neka | avvisa alla | endast nödvändiga | avböj | avvisa | neka alla | endast nödvändiga cookies | bara nödvändiga
      | avböj alla | tillåt endast nödvändiga`,
    close: `stäng | senare | inte nu`,
    decline_offer: `nej tack | hoppa över | utan skydd | nej | inte intresserad | utan försäkring`,
    keep_address: `behåll adressen | använd min adress | använd angiven adress | angiven adress | behåll denna adress | behåll min adress
      | adress du angav | använd adressen som angivits`,
    apply_code: `använd | använd kod | lös in | tillämpa | använd rabattkod | aktivera`,
    have_code: `rabattkod | ange rabattkod | har du en rabattkod | lägg till rabattkod | kampanjkod | jag har en rabattkod | använd en rabattkod`,
    pay_by_card: `kort | betala med kort | kreditkort | kortbetalning | betalkort | bankkort | kredit eller betalkort`,
    ship_here: `skicka till denna adress | leverera hit | leverera till denna adress`,
    continue_shopping: `fortsätt handla | tillbaka till butiken | fortsätt shoppa | avbryt`,
    subscribe: `prenumerera | registrera dig | skapa konto | anmäl dig | bli medlem | prova gratis`,
    remove: `ta bort | radera | töm varukorgen`,
    other: `lägg till i önskelista | spara som favorit | jämför | betala med paypal | fortsätt med google | inställningar | cookieinställningar
      | bevaka | sök | villkor | logga ut | läs mer | uppdatera varukorg | delbetala | betala senare | presentkort | ändra adress | glömt lösenord
      | avbryt beställning | köpvillkor | handla vidare`,
  },
  totals: {
    subtotal: `delsumma | summa varor | varor | varuvärde | produkter | ordervärde`,
    shipping: `frakt | leverans | fraktkostnad | porto | fraktavgift | leveranskostnad | frakt och hantering`,
    tax: `moms | skatt`,
    tax_included: `inkl moms | varav moms | moms ingår | inklusive moms | därav moms`,
    discount: `rabatt | rabattkod | kampanj | avdrag | kupong | rabatter`,
    fee: `avgift | serviceavgift | expeditionsavgift | fakturaavgift | tillägg | pant | hanteringsavgift | dricks`,
    total: `totalt | summa | att betala | total | totalsumma | totalbelopp | totalt att betala | summa att betala | totalt inkl moms
      | totalt inklusive moms | slutsumma | summa inkl moms`,
    other: `du sparar | styckpris | pris | ordernummer | exkl moms | totalt exkl moms | besparing | summa exkl moms`,
  },
  states: {
    in_stock: `i lager | finns i lager | tillgänglig`,
    sold_out: `slutsåld | slut i lager | ej i lager | inte tillgänglig | tillfälligt slut | utsåld | slutsålt | finns inte i lager | inte längre tillgänglig
      | otillräckligt lager`,
    low_stock: `få kvar | bara några kvar | snart slut | endast få`,
    not_found: `sidan hittades inte | kunde inte hittas | hittades inte | finns inte | sidan kunde inte hittas`,
    error: `något gick fel | ett fel uppstod | ett fel inträffade | serverfel | oväntat fel | försök igen`,
    payment_declined: `kortet nekades | betalningen nekades | kort nekades | betalning nekad | medges ej | otillräckliga medel | kortet har gått ut
      | ogiltigt kortnummer | kortet avvisades`,
    payment_failed: `betalningen misslyckades | betalning misslyckades | kunde inte genomföra betalningen | betalningen kunde inte | betalningen avbröts`,
    confirmation: `tack för din beställning | tack för din order | orderbekräftelse | tack för ditt köp | beställningen är mottagen
      | beställning bekräftad | din order är bekräftad | vi har tagit emot din beställning | tack för köpet | din beställning är bekräftad
      | beställning mottagen | beställning har mottagits | beställning har tagits emot | beställningen är lagd | order har lagts`,
    order_number: `ordernummer | beställningsnummer | order | beställning | ordernr | order nr`,
    processing: `behandlas | vänligen vänta | ett ögonblick | bearbetas | vänta | stäng inte detta fönster`,
    minimum_quantity: `minsta antal | minsta order | minst | minimiantal | minsta köp | minsta ordervärde`,
    session_expired: `sessionen har gått ut | sessionen har löpt ut | sessionen har upphört`,
    empty_cart: `varukorgen är tom | din varukorg är tom | kundvagnen är tom | din kundvagn är tom | inga varor i varukorgen`,
    cart: `varukorg | kundvagn | varukorgen | din varukorg`,
    checkout: `kassa | kassan | leveransadress | fakturaadress | kontaktuppgifter | leveransuppgifter | dina uppgifter`,
    payment: `betalning | betalsätt | betalningsmetod | betalningssätt | betala`,
    review: `granska order | orderöversikt | granska beställning | sammanfattning | granska din beställning`,
    captcha: `jag är inte en robot | bekräfta att du är människa | captcha | säkerhetskontroll`,
    sign_in_needed: `logga in för att | du måste logga in | endast för medlemmar | endast för kunder | inloggning krävs`,
    code_refused: `ogiltig kod | koden är ogiltig | rabattkoden är ogiltig | koden har gått ut | koden finns inte | rabattkoden har gått ut
      | koden är inte giltig | ogiltig rabattkod | rabattkoden finns inte | kunde inte användas | rabattkoden är inte giltig`,
    added: `har lagts till i varukorgen | lagts i varukorgen | tillagd i varukorgen | har lagts till
      | ligger i varukorgen | tillagd i kundvagnen | lades till`,
    code_taken: `rabattkoden har använts | koden har lagts till | rabatt tillagd | rabattkod tillagd | har tillämpats | kod tillagd`,
    undeliverable: `levererar inte | skickar inte till | leverans är inte möjlig | inga fraktsätt | kan inte leverera | inga leveranssätt`,
    price_changed: `priset har ändrats | priserna har ändrats | priset har uppdaterats | summan har ändrats | nytt pris | totalsumman har ändrats`,
    subscription: `prenumeration | per månad | varje månad | månadsvis | provperiod | förnyas automatiskt | abonnemang | per år | gratis provperiod | i månaden`,
    quantity: `antal | st | mängd`,
  },
  fields: {
    email: `e post | email | e postadress | mejl | mejladress | epost | mailadress | epostadress`,
    salutation: `tilltal | kön`,
    full_name: `namn | fullständigt namn | för och efternamn | mottagare | ditt namn | förnamn och efternamn`,
    first_name: `förnamn`,
    last_name: `efternamn`,
    company: `företag | företagsnamn`,
    phone: `telefon | telefonnummer | mobil | mobilnummer | mobiltelefon`,
    line1: `adress | gatuadress | leveransadress | adressrad 1 | första adressraden | gata och nummer | postadress | gata och husnummer`,
    line2: `lägenhet | adressrad 2 | andra adressraden | c o | lägenhetsnummer | våning | adress 2 | c o adress`,
    street: `gata | gatunamn`,
    house_number: `husnummer | gatunummer | nummer | nr`,
    house_addition: ``,
    postal_code: `postnummer | postnr`,
    city: `ort | stad | postort`,
    state: `län | region | delstat | provins`,
    country: `land | land region`,
    card_number: `kortnummer | kortets nummer
      | kort nummer`,
    card_expiry: `utgångsdatum | giltig till | giltigt till | mm åå | mm åååå | giltighetstid | giltig t o m
      | giltighetsdatum`,
    card_expiry_month: `månad | utgångsmånad`,
    card_expiry_year: `år | utgångsår | åå | åååå`,
    card_code: `säkerhetskod | cvc | cvv | cvc kod | kontrollkod | cvc cvv
      | ccv | csc | cvn | ccv nummer | cvv nummer | cvc nummer | ccv kod | cvv kod`,
    card_holder: `kortinnehavare | namn på kortet | kortinnehavarens namn | namn på kort`,
    quantity: `antal`,
    promo_code: `rabattkod | kampanjkod | presentkort eller rabattkod | värdekod | kupong | kupongkod`,
    password: `lösenord`,
    one_time_code: `verifieringskod | bekräftelsekod | engångskod`,
    newsletter: `nyhetsbrev | nyhetsbrevet`,
    terms_consent: `köpvillkor | villkoren | villkor | jag godkänner | integritetspolicy | allmänna villkor | användarvillkor`,
    marketing_consent: `erbjudanden via e post | nyheter och erbjudanden | ta emot erbjudanden | erbjudanden och nyheter | få erbjudanden | reklam`,
    save_card: `spara kort | spara kortet | kom ihåg kortet | spara mina kortuppgifter | spara kortuppgifter | spara mina uppgifter`,
    create_account: `skapa konto | skapa ett konto`,
    billing_same: `samma som leveransadress | fakturaadress samma | samma adress | samma som leveransadressen | fakturaadressen är samma`,
    ship_elsewhere: `leverera till en annan adress | skicka till en annan adress | annan leveransadress`,
    bill_elsewhere: `annan fakturaadress`,
    date_of_birth: `födelsedatum`,
    order_notes: `meddelande | kommentar | ordermeddelande | leveransinstruktioner | kommentarer`,
    search: `sök | söka`,
    other: `personnummer | fax | organisationsnummer | presentkort | användarnamn | kom ihåg mig | momsnummer
      | giltig från | födelseort | medlemskort | medlemsnummer`,
  },
  payments: {
    method: `betalningsmetod | betalsätt | betalningssätt | betalning`,
    card: `kort | kreditkort | betalkort | kortbetalning | bankkort`,
    wallet: `paypal | swish | apple pay | google pay | vipps`,
    invoice: `faktura | mot faktura | betala senare | 30 dagar | fakturabetalning`,
    instalments: `delbetalning | delbetala | avbetalning | klarna | konto`,
    cash: `postförskott | kontant | betala i butik`,
    transfer: `banköverföring | förskottsbetalning | direktbetalning | autogiro`,
    gift_card: `presentkort`,
  },
  deliveries: {
    method: `leveranssätt | fraktsätt | leverans | frakt | leveransalternativ | leveransmetod`,
    standard: `standard | hemleverans | brev | vanlig | postnord | hem till dörren`,
    express: `express | expressleverans | snabb`,
    pickup: `hämta | ombud | hämta i butik | utlämningsställe | upphämtning | paketbox | paketskåp`,
    today: `idag | i dag`,
    tomorrow: `imorgon | i morgon`,
    hours: `timme | timmar`,
    days: `dag | dagar | vardagar | arbetsdagar | vardag`,
    weeks: `vecka | veckor`,
  },
}
