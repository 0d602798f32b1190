import type { ShopWords } from './shop-words.ts'

export const it: ShopWords = {
  language: 'it',
  actions: {
    add_to_cart: `aggiungi al carrello | metti nel carrello | aggiungi alla borsa | aggiungi alla shopping bag | inserisci nel carrello`,
    buy_now: `acquista ora | compra ora | acquista subito | compra subito | acquista | compra`,
    view_cart: `vai al carrello | vedi carrello | visualizza carrello | carrello | il mio carrello | mostra carrello | il tuo carrello`,
    checkout: `procedi all'acquisto | procedi al checkout | vai alla cassa | concludi acquisto | cassa | checkout | procedi con l'ordine
      | completa l'acquisto | procedi all'ordine`,
    continue: `continua | avanti | prosegui | continua alla spedizione | procedi | continua al pagamento | vai al pagamento
      | procedi al pagamento | salva e continua | conferma | passo successivo | successivo | salva`,
    as_guest: `continua come ospite | acquista come ospite | come ospite | ospite | continua senza registrazione
      | acquista senza registrazione | procedi come ospite | ordina come ospite | continua senza account | senza creare un account | non creare un account
      | senza registrazione | senza registrarsi | senza account`,
    sign_in: `accedi | login | entra | effettua il login | effettua l'accesso`,
    place_order: `paga | paga ora | conferma ordine | ordina e paga | ordina ora | invia ordine | conferma e paga | completa ordine
      | ordine con obbligo di pagamento | effettua ordine | conferma l'ordine | acquista e paga | conferma pagamento | effettua il pagamento
      | ordina con obbligo di pagare | concludi ordine | paga adesso | invia l'ordine | completa l'ordine`,
    accept_cookies: `accetta | accetta tutto | accetta tutti | accetta i cookie | accetta tutti i cookie | accetto | ho capito | consenti tutti
      | va bene | accetta e chiudi`,
    reject_cookies: `rifiuta | rifiuta tutto | rifiuta tutti | solo necessari | rifiuta i cookie | solo i necessari | continua senza accettare
      | rifiuta tutti i cookie | solo cookie necessari | accetta solo necessari | nega`,
    close: `chiudi | più tardi | non ora | nascondi`,
    decline_offer: `no grazie | senza protezione | salta | no | non mi interessa | senza assicurazione | ignora | senza garanzia`,
    keep_address: `mantieni questo indirizzo | usa il mio indirizzo | mantieni indirizzo | indirizzo inserito | usa l'indirizzo inserito
      | mantieni il mio indirizzo | conserva indirizzo`,
    apply_code: `applica | applica codice | usa codice | riscatta | applica coupon | utilizza`,
    have_code: `codice promozionale | codice sconto | hai un codice sconto | inserisci codice | hai un codice promozionale | aggiungi codice
      | hai un coupon | ho un codice sconto | buono sconto`,
    pay_by_card: `carta di credito | paga con carta | carta | carta di credito o debito | carta di debito | paga con carta di credito`,
    ship_here: `spedisci a questo indirizzo | consegna qui | consegna a questo indirizzo`,
    continue_shopping: `continua lo shopping | continua gli acquisti | torna al negozio | torna allo shop | continua a fare acquisti | annulla`,
    subscribe: `iscriviti | abbonati | registrati | crea account | crea un account | prova gratuita`,
    remove: `rimuovi | elimina | svuota carrello | cancella`,
    other: `aggiungi ai preferiti | aggiungi alla lista dei desideri | aggiungi alla wishlist | confronta | paga con paypal | continua con paypal
      | continua con google | personalizza | gestisci cookie | avvisami | cerca | termini e condizioni | esci | scopri di più
      | aggiorna carrello | paga a rate | paga dopo | carta regalo | modifica indirizzo | password dimenticata | annulla ordine | continua a leggere`,
  },
  totals: {
    subtotal: `subtotale | totale parziale | articoli | totale articoli | totale prodotti | prodotti | sub totale`,
    shipping: `spedizione | spese di spedizione | consegna | costi di spedizione | costo di spedizione | costo spedizione | spese di consegna`,
    tax: `iva | imposte | tasse | imposta`,
    tax_included: `iva inclusa | tasse incluse | di cui iva | incl iva | imposte incluse | iva compresa | inclusa iva | iva incl`,
    discount: `sconto | codice sconto | coupon | buono | promozione | buono sconto | sconti | codice promozionale`,
    fee: `commissione | commissioni | costi di gestione | supplemento | contributo | spese di gestione | contrassegno | mancia
      | confezione regalo | spese di incasso`,
    total: `totale | totale ordine | importo totale | totale da pagare | da pagare | totale complessivo | totale iva inclusa | prezzo totale
      | somma | totale carrello`,
    other: `risparmi | prezzo unitario | prezzo | numero ordine | totale iva esclusa | imponibile | totale senza iva | punti | risparmio`,
  },
  states: {
    in_stock: `disponibile | in magazzino | disponibilità immediata`,
    sold_out: `esaurito | non disponibile | non più disponibile | tutto esaurito | attualmente non disponibile | terminato | esaurita
      | quantità non disponibile | fuori stock | disponibilità insufficiente`,
    low_stock: `ultimi pezzi | quasi esaurito | pochi pezzi | solo pochi | ne restano | ultimi disponibili`,
    not_found: `pagina non trovata | non trovata | non esiste | prodotto non trovato | pagina inesistente`,
    error: `qualcosa è andato storto | si è verificato un errore | errore del server | errore imprevisto | riprova più tardi | riprova
      | errore interno`,
    payment_declined: `carta è stata rifiutata | carta rifiutata | pagamento rifiutato | pagamento è stato rifiutato | fondi insufficienti
      | carta non accettata | carta scaduta | numero di carta non valido | transazione rifiutata | carta è stata declinata`,
    payment_failed: `pagamento non riuscito | pagamento fallito | errore di pagamento | pagamento non è andato | impossibile elaborare il pagamento
      | pagamento annullato | errore nel pagamento`,
    confirmation: `grazie per il tuo ordine | grazie per il suo ordine | ordine confermato | grazie per l'acquisto | grazie per il tuo acquisto
      | conferma ordine | conferma dell'ordine | ordine ricevuto | ordine completato | ordine effettuato | abbiamo ricevuto il tuo ordine
      | grazie per aver acquistato | ordine è stato ricevuto | ordine è confermato
      | ordine è stato effettuato | ordine è stato inoltrato | ordine è stato elaborato | ordine è stato confermato | ordine è stato inviato`,
    order_number: `numero ordine | numero d'ordine | n ordine | ordine | ordine n | numero dell'ordine | riferimento ordine | codice ordine
      | ordine numero
      | numero del tuo ordine | numero del suo ordine | numero del vostro ordine`,
    processing: `in elaborazione | attendere prego | un momento | elaborazione in corso | attendi | non chiudere questa finestra | attendere`,
    minimum_quantity: `quantità minima | ordine minimo | minimo ordine | almeno | acquisto minimo`,
    session_expired: `sessione è scaduta | sessione scaduta`,
    empty_cart: `carrello è vuoto | il tuo carrello è vuoto | nessun articolo nel carrello | nessun prodotto nel carrello`,
    cart: `carrello | il tuo carrello | carrello della spesa | shopping bag`,
    checkout: `cassa | indirizzo di spedizione | indirizzo di fatturazione | dati di spedizione | dati di contatto | indirizzo di consegna | checkout`,
    payment: `pagamento | metodo di pagamento | metodi di pagamento | dati di pagamento`,
    review: `riepilogo | riepilogo ordine | rivedi ordine | controlla il tuo ordine | riepilogo dell'ordine`,
    captcha: `non sono un robot | verifica di essere umano | captcha | controllo di sicurezza | sei umano | verifica che sei umano`,
    sign_in_needed: `accedi per | effettua l'accesso per | devi accedere | riservato ai membri | riservato ai clienti | accesso richiesto
      | devi effettuare l'accesso`,
    code_refused: `codice non valido | coupon non valido | codice non è valido | codice scaduto | codice è scaduto | codice sconto non valido
      | non è applicabile | codice inesistente | coupon non è valido | coupon scaduto | codice errato | buono non valido`,
    added: `aggiunto al carrello | è stato aggiunto | aggiunto al tuo carrello | aggiunto con successo
      | nel tuo carrello`,
    code_taken: `codice applicato | sconto applicato | coupon applicato | è stato applicato | codice sconto applicato`,
    undeliverable: `non spediamo | spedizione non disponibile | non è possibile spedire | nessun metodo di spedizione | non consegniamo
      | non effettuiamo spedizioni`,
    price_changed: `prezzo è cambiato | prezzi sono cambiati | prezzo è stato aggiornato | totale è cambiato | nuovo prezzo
      | prezzo è stato modificato`,
    subscription: `abbonamento | al mese | mensile | ogni mese | prova gratuita | rinnovo automatico | si rinnova | all'anno | annuale | disdici quando`,
    quantity: `quantità | qtà | pezzi | pz`,
  },
  fields: {
    email: `email | e mail | indirizzo email | indirizzo e mail | posta elettronica | mail`,
    salutation: `titolo | appellativo | sesso | genere`,
    full_name: `nome e cognome | nome completo | destinatario | nome cognome | cognome e nome | il tuo nome`,
    first_name: `nome`,
    last_name: `cognome`,
    company: `azienda | società | ragione sociale | nome azienda`,
    phone: `telefono | cellulare | numero di telefono | telefono cellulare | tel`,
    line1: `indirizzo | via e numero civico | indirizzo di spedizione | indirizzo riga 1 | via e numero | indirizzo 1 | indirizzo e numero civico
      | indirizzo di consegna | prima riga dell'indirizzo`,
    line2: `interno | scala | appartamento | indirizzo riga 2 | informazioni aggiuntive | piano | indirizzo 2 | presso | appartamento interno
      | appartamento scala | seconda riga dell'indirizzo`,
    street: `via | strada | nome della via`,
    house_number: `numero civico | civico | n civico | numero`,
    house_addition: ``,
    postal_code: `npa | cap | codice postale | c a p | codice di avviamento postale`,
    city: `città | comune | località`,
    state: `provincia | regione | stato provincia | prov`,
    country: `paese | nazione | stato | paese regione`,
    card_number: `numero carta | numero della carta | numero di carta | numero carta di credito | numero della carta di credito`,
    card_expiry: `scadenza | data di scadenza | mm aa | mm aaaa | valida fino al | data scadenza`,
    card_expiry_month: `mese | mese di scadenza`,
    card_expiry_year: `anno | anno di scadenza | aa | aaaa`,
    card_code: `codice di sicurezza | cvv | cvc | codice cvv | codice cvc | codice di verifica della carta
      | ccv | csc | cvn | numero ccv | numero cvv | numero cvc | codice ccv`,
    card_holder: `titolare | titolare della carta | intestatario | nome sulla carta | intestatario carta | intestatario della carta
      | nome del titolare`,
    quantity: `quantità | qtà`,
    promo_code: `codice sconto | codice promozionale | coupon | buono sconto | codice promo | buono | codice coupon`,
    password: `password | parola d'ordine`,
    one_time_code: `codice di verifica | codice di conferma | codice monouso | codice ricevuto`,
    newsletter: `newsletter`,
    terms_consent: `termini e condizioni | condizioni generali | accetto i | accetto le | ho letto | informativa sulla privacy
      | condizioni di vendita | privacy policy`,
    marketing_consent: `ricevere offerte | offerte e novità | novità e offerte | comunicazioni commerciali | comunicazioni di marketing
      | ricevere promozioni | finalità di marketing`,
    save_card: `salva carta | salva la carta | memorizza carta | ricorda carta | salva questa carta | salva i dati della carta | salva i miei dati`,
    create_account: `crea un account | crea account | registrami`,
    billing_same: `stesso indirizzo | uguale all'indirizzo di spedizione | coincide con | usa lo stesso indirizzo | uguale a quello di spedizione
      | indirizzo di fatturazione uguale | come indirizzo di spedizione`,
    ship_elsewhere: `spedire a un indirizzo differente | spedire a un indirizzo diverso | indirizzo di spedizione diverso`,
    bill_elsewhere: `indirizzo di fatturazione diverso`,
    date_of_birth: `data di nascita`,
    order_notes: `note | commenti | note ordine | istruzioni di consegna | messaggio | note per il corriere | commento`,
    search: `cerca | ricerca`,
    other: `quartiere | frazione | fax | partita iva | codice fiscale | carta regalo | nome utente | ricordami | sdi
      | valida dal | luogo di nascita | carta fedeltà | numero carta fedeltà | numero tessera`,
  },
  payments: {
    method: `metodo di pagamento | metodi di pagamento | modalità di pagamento | pagamento`,
    card: `carta di credito | carta | carta di debito | carta di credito o debito | carta di pagamento`,
    wallet: `paypal | satispay | apple pay | google pay`,
    invoice: `fattura | su fattura | paga dopo | paga più tardi | paga tra 30 giorni`,
    instalments: `a rate | in 3 rate | rate | scalapay | klarna | finanziamento | 3 rate`,
    cash: `contrassegno | contanti | alla consegna | pagamento in negozio`,
    transfer: `bonifico | bonifico bancario | addebito diretto`,
    gift_card: `carta regalo | buono regalo`,
  },
  deliveries: {
    method: `metodo di spedizione | metodo di consegna | spedizione | consegna | opzioni di spedizione | modalità di spedizione | corriere`,
    standard: `standard | spedizione standard | a domicilio | economica | normale | ordinaria`,
    express: `express | espresso | espressa | veloce | rapida`,
    pickup: `ritiro | ritiro in negozio | punto di ritiro | in negozio | ritira`,
    today: `oggi`,
    tomorrow: `domani`,
    hours: `ora | ore`,
    days: `giorno | giorni | giorni lavorativi | giorno lavorativo`,
    weeks: `settimana | settimane`,
  },
}
