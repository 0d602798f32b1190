import type { ShopWords } from './shop-words.ts'

export const fr: ShopWords = {
  language: 'fr',
  actions: {
    add_to_cart: `ajouter au panier | ajouter au sac | mettre au panier | ajouter à mon panier | ajouter dans le panier | j'ajoute au panier`,
    buy_now: `acheter maintenant | acheter | achat immédiat | commander maintenant | achat express`,
    view_cart: `voir le panier | voir mon panier | mon panier | panier | accéder au panier | aller au panier | votre panier`,
    checkout: `passer commande | passer la commande | commander | valider mon panier | valider le panier | procéder au paiement
      | passer à la caisse | finaliser ma commande | finaliser la commande | valider la commande`,
    continue: `continuer | suivant | étape suivante | poursuivre | continuer vers la livraison | continuer vers le paiement
      | passer au paiement | enregistrer et continuer | confirmer | valider | continuer vers l'expédition | aller au paiement | enregistrer`,
    as_guest: `continuer en tant qu'invité | commander en tant qu'invité | en tant qu'invité | continuer sans compte | commander sans compte
      | commande sans compte | continuer sans créer de compte | acheter sans compte | ne pas créer de compte | sans créer de compte | invité
      | sans compte | sans inscription | sans création de compte`,
    sign_in: `se connecter | connexion | s'identifier | me connecter | identifiez vous | connectez vous`,
    place_order: `commander et payer | payer | payer maintenant | confirmer la commande | confirmer et payer | confirmer le paiement
      | commande avec obligation de paiement | commander avec obligation de paiement | valider et payer | passer ma commande
      | effectuer le paiement | régler | confirmer ma commande | finaliser l'achat | payer ma commande | valider le paiement`,
    accept_cookies: `tout accepter | accepter | accepter tout | accepter les cookies | j'accepte | d'accord | accepter et fermer | ok
      | accepter tous les cookies | accepter et continuer`,
    reject_cookies: `tout refuser | refuser | continuer sans accepter | refuser tout | refuser les cookies | cookies nécessaires uniquement
      | uniquement les cookies nécessaires | accepter uniquement les cookies nécessaires | essentiels uniquement | refuser tous les cookies`,
    close: `fermer | plus tard | pas maintenant | masquer`,
    decline_offer: `non merci | sans protection | passer | ignorer | non | pas intéressé | sans assurance | sans garantie`,
    keep_address: `conserver cette adresse | garder mon adresse | utiliser mon adresse | adresse saisie | utiliser l'adresse saisie
      | conserver mon adresse | garder cette adresse | conserver l'adresse saisie`,
    apply_code: `appliquer | utiliser | valider le code | appliquer le code | utiliser le code | ajouter le code`,
    have_code: `code promo | ajouter un code promo | vous avez un code promo | saisir un code promo | j'ai un code promo | code de réduction
      | avez vous un code promo | entrer un code promo | bon de réduction`,
    pay_by_card: `carte bancaire | carte de crédit | payer par carte | carte bleue | payer par carte bancaire | carte de paiement
      | payer par carte de crédit`,
    ship_here: `livrer à cette adresse | expédier à cette adresse | livrer ici`,
    continue_shopping: `continuer mes achats | continuer vos achats | poursuivre mes achats | retour à la boutique | retourner à la boutique
      | continuer les achats | poursuivre vos achats | annuler`,
    subscribe: `s'abonner | s'inscrire | je m'inscris | m'inscrire | créer un compte | créer mon compte | abonnez vous | essai gratuit`,
    remove: `supprimer | retirer | enlever | vider le panier | supprimer l'article`,
    other: `ajouter aux favoris | ajouter à la liste | ajouter à ma liste | ajouter à la liste de souhaits | ajouter au comparateur
      | comparer | payer avec paypal | continuer avec paypal | continuer avec google | personnaliser | gérer les cookies | paramétrer
      | me prévenir | rechercher | conditions générales | mot de passe oublié | se déconnecter | déconnexion | en savoir plus
      | mettre à jour le panier | payer plus tard | payer en 3 fois | payer en plusieurs fois | carte cadeau | modifier l'adresse
      | paramétrer les cookies | annuler la commande | suivre ma commande`,
  },
  totals: {
    subtotal: `sous total | total des articles | articles | total articles | total produits | montant des articles | produits`,
    shipping: `livraison | frais de livraison | expédition | frais de port | frais d'expédition | port | estimation de la livraison`,
    tax: `tva | taxe | taxes | taxes estimées | montant tva | impôts`,
    tax_included: `dont tva | tva incluse | taxes incluses | tva comprise | ttc dont | taxe incluse | comprend tva | incluant tva
      | y compris tva | toutes taxes comprises | dont taxes`,
    discount: `remise | réduction | code promo | bon de réduction | rabais | promotion | avoir | coupon | réductions | bon d'achat`,
    fee: `frais | frais de service | frais de dossier | frais de traitement | éco participation | supplément | emballage cadeau | consigne
      | frais de paiement | don`,
    total: `total | total ttc | montant total | total à payer | total de la commande | à payer | net à payer | total commande | somme
      | total général | total tva incluse | montant à payer`,
    other: `vous économisez | prix unitaire | prix | numéro de commande | total ht | hors taxes | économies | points de fidélité | sous total ht`,
  },
  states: {
    in_stock: `en stock | disponible | expédié aujourd'hui`,
    sold_out: `épuisé | rupture de stock | en rupture | indisponible | plus disponible | en rupture de stock | actuellement indisponible
      | n'est plus disponible | stock insuffisant | victime de son succès | non disponible`,
    low_stock: `plus que | bientôt épuisé | derniers articles | stock limité | dernières pièces | presque épuisé`,
    not_found: `page introuvable | page non trouvée | n'existe pas | produit introuvable | n'existe plus | page n'a pas été trouvée`,
    error: `une erreur est survenue | une erreur s'est produite | erreur serveur | erreur interne | veuillez réessayer | réessayez plus tard
      | problème technique`,
    payment_declined: `carte a été refusée | paiement refusé | carte refusée | paiement a été refusé | refusé par votre banque
      | provision insuffisante | fonds insuffisants | carte a expiré | numéro de carte invalide`,
    payment_failed: `paiement a échoué | échec du paiement | paiement n'a pas pu | erreur de paiement | paiement n'a pas abouti
      | paiement annulé | transaction a échoué`,
    confirmation: `merci pour votre commande | merci de votre commande | commande confirmée | confirmation de commande
      | votre commande est confirmée | merci pour votre achat | commande a été enregistrée | commande a bien été enregistrée
      | commande validée | commande reçue | commande a été confirmée | nous avons bien reçu votre commande
      | commande a été passée | commande a bien été passée | commande a été traitée | commande passée | commande a été effectuée`,
    order_number: `numéro de commande | n de commande | commande | référence de commande | commande n | commande numéro | no de commande
      | numéro de votre commande`,
    processing: `en cours de traitement | veuillez patienter | un instant | traitement en cours | ne fermez pas cette fenêtre
      | traitement de votre commande | merci de patienter`,
    minimum_quantity: `quantité minimale | quantité minimum | minimum de commande | commande minimum | au moins | minimum d'achat`,
    session_expired: `session a expiré | session expirée | votre session a expiré`,
    empty_cart: `panier est vide | votre panier est vide | aucun article dans votre panier | panier est actuellement vide`,
    cart: `panier | mon panier | votre panier`,
    checkout: `adresse de livraison | adresse de facturation | coordonnées | validation de commande | vos coordonnées | commande
      | passage de commande | informations de livraison`,
    payment: `paiement | moyen de paiement | mode de paiement | informations de paiement | règlement`,
    review: `récapitulatif | vérifier votre commande | récapitulatif de commande | vérification | résumé de la commande
      | vérifiez votre commande`,
    captcha: `je ne suis pas un robot | vérifiez que vous êtes humain | captcha | vérification de sécurité | êtes vous humain`,
    sign_in_needed: `veuillez vous connecter | connectez vous pour | vous devez être connecté | réservé aux membres | connexion requise
      | identifiez vous pour | réservé aux clients`,
    code_refused: `code invalide | code promo invalide | code n'est pas valide | code a expiré | code expiré | code promo n'est pas valide
      | code inconnu | ne peut pas être utilisé | n'est pas valable | code promo n'existe pas | code incorrect | code promo expiré`,
    added: `ajouté au panier | a été ajouté | ajouté à votre panier | ajoutée au panier | ajouté avec succès
      | dans votre panier`,
    code_taken: `code appliqué | code promo appliqué | réduction appliquée | remise appliquée | code a été appliqué | a été appliqué`,
    undeliverable: `ne livrons pas | livraison impossible | ne pouvons pas livrer | aucun mode de livraison | n'est pas livrable
      | livraison n'est pas disponible | aucune méthode de livraison`,
    price_changed: `prix a changé | prix ont changé | prix a été modifié | prix a été mis à jour | total a changé | nouveau prix
      | prix ont été mis à jour`,
    subscription: `abonnement | par mois | mensuel | tous les mois | essai gratuit | renouvellement automatique | sans engagement
      | chaque mois | par an | se renouvelle`,
    quantity: `quantité | qté | nombre`,
  },
  fields: {
    email: `e mail | email | adresse e mail | adresse email | courriel | adresse électronique | mail | adresse mail`,
    salutation: `titre | civilité | sexe | genre`,
    full_name: `nom complet | nom et prénom | prénom et nom | votre nom | destinataire | prénom nom | nom prénom`,
    first_name: `prénom | prénoms`,
    last_name: `nom | nom de famille`,
    company: `société | entreprise | raison sociale | nom de l'entreprise`,
    phone: `téléphone | numéro de téléphone | portable | mobile | téléphone portable | tél`,
    line1: `adresse | numéro et rue | n et rue | adresse postale | adresse ligne 1 | adresse de livraison | rue et numéro | numéro et nom de rue
      | adresse 1 | numéro et voie | première ligne d'adresse`,
    line2: `complément d'adresse | appartement | complément | bâtiment | étage | adresse ligne 2 | adresse 2 | appartement suite | apt
      | deuxième ligne d'adresse | seconde ligne d'adresse`,
    street: `rue | voie | nom de rue | nom de la rue`,
    house_number: `numéro | numéro de rue | numéro de voie | n de rue`,
    house_addition: `indice de répétition | bis ter`,
    postal_code: `npa | code postal | cp`,
    city: `ville | commune | localité`,
    state: `province | région | département | état | canton`,
    country: `pays | pays région`,
    card_number: `numéro de carte | numéro de la carte | n de carte | numéro de carte bancaire | numéro de carte de crédit`,
    card_expiry: `date d'expiration | expiration | mm aa | mm aaaa | expire fin | validité | date de validité | expire le
      | valide jusqu'au | valable jusqu'au`,
    card_expiry_month: `mois | mois d'expiration`,
    card_expiry_year: `année | année d'expiration | aa | aaaa`,
    card_code: `cryptogramme | code de sécurité | cryptogramme visuel | code cvc | code de vérification de la carte | cvc cvv
      | ccv | cvv | cvc | csc | cvn | numéro ccv | numéro cvv | numéro cvc | code ccv | code cvv`,
    card_holder: `titulaire de la carte | nom sur la carte | nom du titulaire | titulaire | nom figurant sur la carte | nom du porteur`,
    quantity: `quantité | qté`,
    promo_code: `code promo | code de réduction | code promotionnel | bon de réduction | coupon | carte cadeau ou code promo | code avantage
      | bon d'achat`,
    password: `mot de passe`,
    one_time_code: `code de vérification | code de confirmation | code à usage unique | code reçu | code reçu par e mail`,
    newsletter: `newsletter | lettre d'information | infolettre`,
    terms_consent: `conditions générales | cgv | j'accepte les | j'ai lu | conditions de vente | politique de confidentialité | cgu`,
    marketing_consent: `offres promotionnelles | recevoir des offres | recevoir les offres | nouveautés et offres | offres exclusives
      | recevoir par e mail les offres | actualités et offres | bons plans`,
    save_card: `enregistrer ma carte | mémoriser ma carte | enregistrer cette carte | sauvegarder ma carte | enregistrer la carte
      | enregistrer mes coordonnées`,
    create_account: `créer un compte | créer mon compte | création de compte`,
    billing_same: `adresse de facturation identique | même adresse | identique à l'adresse de livraison | utiliser la même adresse
      | identique à la livraison | même que l'adresse de livraison | facturation identique`,
    ship_elsewhere: `expédier à une adresse différente | livrer à une autre adresse | livrer à une adresse différente | adresse de livraison différente`,
    bill_elsewhere: `adresse de facturation différente | autre adresse de facturation`,
    date_of_birth: `date de naissance`,
    order_notes: `remarques | commentaire | commentaires | instructions de livraison | note | message | notes de commande`,
    search: `recherche | rechercher`,
    other: `quartier | fax | numéro de tva | carte cadeau | nom d'utilisateur | se souvenir de moi | rester connecté | numéro de client
      | valable à partir de | lieu de naissance | nom de naissance | nom de jeune fille | carte de fidélité | numéro de carte de fidélité | code porte | digicode`,
  },
  payments: {
    method: `mode de paiement | moyen de paiement | méthode de paiement | paiement`,
    card: `carte bancaire | carte de crédit | carte bleue | carte | cb | carte de débit | carte de paiement`,
    wallet: `paypal | apple pay | google pay`,
    invoice: `facture | sur facture | payer plus tard | paiement différé | paiement à 30 jours`,
    instalments: `en plusieurs fois | 3 fois | 4 fois | 3x | 4x | mensualités | alma | klarna | échelonné | oney`,
    cash: `contre remboursement | espèces | paiement à la livraison | paiement en magasin`,
    transfer: `virement | virement bancaire | prélèvement | chèque`,
    gift_card: `carte cadeau | avoir`,
  },
  deliveries: {
    method: `mode de livraison | méthode de livraison | livraison | expédition | options de livraison | mode d'expédition | transporteur`,
    standard: `standard | livraison standard | à domicile | colissimo | domicile | économique | normale`,
    express: `express | livraison express | chronopost | rapide | 24h`,
    pickup: `retrait | point relais | en magasin | retrait en magasin | mondial relay | click and collect | relais colis | consigne`,
    today: `aujourd'hui`,
    tomorrow: `demain | le lendemain`,
    hours: `heure | heures`,
    days: `jour | jours | jours ouvrés | jours ouvrables | jour ouvré`,
    weeks: `semaine | semaines`,
  },
}
