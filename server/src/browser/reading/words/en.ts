import type { ShopWords } from './shop-words.ts'

export const en: ShopWords = {
  language: 'en',
  actions: {
    add_to_cart: `add to cart | add to bag | add to basket | add to my cart | add to my bag | add to shopping cart
      | add to trolley | add to order | add item to cart | put in cart | add to shopping bag | get it`,
    buy_now: `buy now | buy it now | buy | order now | purchase | purchase now | instant buy | get it now | shop now`,
    view_cart: `view cart | view bag | view basket | view my cart | view my bag | go to cart | go to bag | go to basket
      | see cart | open cart | shopping cart | shopping bag | my cart | my bag | my basket | cart | bag | basket
      | your cart | your bag | view shopping cart | review cart | edit cart`,
    checkout: `checkout | check out | proceed to checkout | go to checkout | continue to checkout | secure checkout
      | start checkout | begin checkout | checkout now | proceed to secure checkout | continue to secure checkout
      | proceed to buy | check out now | to checkout`,
    continue: `continue | next | next step | proceed | go on | keep going | continue to shipping | continue to delivery
      | continue to payment | continue to shipping method | proceed to payment | proceed to shipping | save and continue
      | continue to review | review order | review your order | go to payment | to payment | confirm and continue | submit
      | save address | use this payment method | save | confirm | continue to next step | onward | update shipping
      | continue to billing | save continue | use this address | confirm address`,
    as_guest: `continue as guest | continue as a guest | checkout as guest | check out as guest | check out as a guest
      | checkout as a guest | guest checkout | buy as guest | order as guest | proceed as guest | guest
      | continue without account | continue without an account | continue without signing in | skip sign in
      | do not create a customer account | do not create an account | don t create an account | without creating an account
      | without registering | no account needed | checkout without account | order without registration | continue without registration | shop as guest
      | order as a guest | buy as a guest | shop as a guest | proceed as a guest | checkout without an account | without account`,
    sign_in: `sign in | log in | login | signin | returning customer | existing customer | already have an account | sign in to your account | sign in and check out | log in to continue`,
    place_order: `place order | place my order | place your order | place the order | complete order | complete purchase
      | complete my order | complete your order | complete my purchase | submit order | confirm order | confirm the order | confirm my order | confirm your order | confirm and pay
      | pay now | pay | pay securely | finish order | buy and pay | order and pay | confirm payment | confirm purchase
      | make payment | finalize order | send order | pay and place order | place order and pay | submit payment
      | complete checkout | finish and pay | complete payment | order with obligation to pay`,
    accept_cookies: `accept cookies | accept all | accept all cookies | allow all | allow all cookies | allow cookies
      | i accept | accept | agree | i agree | got it | ok | okay | agree and continue | accept and continue | accept continue
      | accept and close | yes i agree | that s fine | fine | sure`,
    reject_cookies: `reject all | reject | reject cookies | reject all cookies | decline | decline all | decline cookies
      | only necessary | necessary only | only necessary cookies | necessary cookies only | essential only
      | only essential | use necessary cookies only | deny | deny all | essential cookies only | refuse | refuse all
      | continue without accepting | only required | strictly necessary only | disagree | accept only essential
      | accept necessary | accept essential | accept necessary cookies | accept only necessary | required only`,
    close: `close | dismiss | x | ✕ | × | ✖ | close dialog | close popup | close modal | close this dialog | hide | close window
      | later | maybe later | not now | close banner | close message`,
    decline_offer: `no thanks | no thank you | no | skip | skip this | skip offer | decline offer | no i don t want
      | not interested | without protection | no protection | i ll pass | i don t want | no i like | maybe next time
      | continue without | no thanks i | don t add | without insurance | no warranty | decline coverage | i ll risk it
      | no coverage`,
    keep_address: `keep this address | keep address | keep my address | use address as entered | use as entered
      | use the address i entered | use the address you entered | use my address | keep original | use original address
      | use this address anyway | you typed | as entered | address i entered | i entered | keep what i entered
      | original address | you entered | continue with this address | use entered address | keep as is | what you typed
      | use address i entered | ship to address as entered`,
    apply_code: `apply | apply code | apply coupon | apply discount | apply promo code | redeem | apply voucher | add code
      | apply promo | redeem code | use code | add coupon | add voucher | submit code`,
    have_code: `have a code | have a coupon | have a promo code | enter a promo code | enter coupon | add promo code
      | have a discount code | promo code | discount code | coupon code | add a coupon | got a code | voucher code
      | enter code | have a voucher | enter promo code | add discount code | click here to enter your code | add a promo code
      | gift card or discount code`,
    pay_by_card: `pay by card | pay with card | pay with credit card | credit card | debit card | credit or debit card
      | card | pay by credit card | credit debit card | pay with debit or credit card | pay with credit or debit card`,
    ship_here: `ship to this address | ship here | deliver here | deliver to this address | use this shipping address
      | ship to this | send to this address`,
    continue_shopping: `continue shopping | keep shopping | return to shop | back to shop | back to store
      | return to store | go back to shop | browse products | start shopping | shop more | resume shopping | back to shopping
      | cancel and return | back to the shop | cancel`,
    subscribe: `subscribe | sign up | join | subscribe now | get 10 off | sign me up | join now | get my discount
      | register | create account | create an account | unlock discount | start free trial | subscribe and save`,
    remove: `remove | delete | remove item | remove from cart | clear cart | empty cart | delete item | empty basket`,
    other: `add to wishlist | add to wish list | add to favorites | save for later | add to compare | add to registry
      | continue with paypal | continue with google | continue with apple | continue with facebook | pay with paypal
      | sign in with google | sign in with apple | buy with paypal | buy with google pay | buy with apple pay | pay with klarna
      | pay with google pay | pay with apple pay | google pay | apple pay | shop pay | amazon pay | buy with shop pay
      | paypal | paypal checkout | add to cart and subscribe | cookie settings | manage cookies | manage preferences
      | cookie preferences | continue reading | update cart | notify me | email me when available | search | next slide
      | previous | next image | next page | add gift card | add review | submit review | ask a question | cancel order
      | sign out | log out | forgot password | forgot your password | privacy policy | terms of service | payment options
      | add protection | yes protect it | protect it | yes please | bookmark | print | card details | about us | gift card
      | pay in installments | pay later | pay in 4 | buy now pay later | buy it again | order history | track order | my orders
      | shipping policy | return policy | save cart | save my information | edit address | change address
      | size guide | contact us`,
  },
  totals: {
    subtotal: `subtotal | sub total | items | item total | items total | merchandise | merchandise total | goods
      | cart subtotal | order subtotal | product total | products | items subtotal | so far | merchandise subtotal`,
    shipping: `shipping | delivery | postage | freight | shipping and handling | delivery fee | shipping fee
      | shipping cost | delivery cost | delivery charge | shipping costs | shipping charge | shipping handling | pickup | courier
      | estimated shipping | shipping charges | flat rate`,
    tax: `tax | taxes | vat | gst | hst | pst | sales tax | estimated tax | tax total | taxes and fees | duties | duties and taxes
      | estimated taxes | import duties | sales taxes | tax amount`,
    tax_included: `includes tax | tax included | including tax | incl tax | including vat | incl vat | vat included
      | includes vat | of which vat | of which tax | inc vat | inc tax | incl gst | including gst | including taxes
      | taxes included | includes taxes | thereof vat`,
    discount: `discount | coupon | promotion | promo | savings | promo code | voucher | discounts | gift card | rebate
      | order discount | coupon discount | promotions | discount code | total discount`,
    fee: `fee | fees | handling | handling fee | service fee | surcharge | payment fee | processing fee | small order fee | tip
      | packaging | donation | gift wrap | environmental fee | deposit | booking fee | insurance | payment surcharge
      | recycling fee | order fee`,
    total: `total | order total | grand total | total due | amount due | total to pay | you pay | total price | to pay
      | total amount | cart total | estimated total | total cost | payable | total incl tax | total including tax | balance due
      | total incl vat | total including vat | sum | final total | amount to pay | all in | total inc vat | total payment | due now
      | due today | total due today | payment due | payment total | total payable`,
    other: `you save | you saved | total savings | unit price | price | regular price | list price | was | order number
      | order date | due later | total items | free shipping from | before tax | total excl tax | total excluding tax
      | total excl vat | total excluding vat | total before tax | per item | total quantity | reward points
      | item price | saved`,
  },
  states: {
    in_stock: `in stock | available | ready to ship | ships today | in stock now | item available`,
    sold_out: `sold out | out of stock | currently unavailable | no longer available | not available | unavailable
      | temporarily out of stock | notify me when available | all gone | not in stock | temporarily unavailable
      | just sold out | has sold out | discontinued | currently not available | is not available | back in stock soon
      | insufficient stock | not enough stock | not enough items | not enough in stock | not enough left`,
    low_stock: `left in stock | only a few left | low stock | almost gone | almost sold out | last one | last items | few left
      | limited stock | only 1 left | only 2 left | only 3 left | hurry`,
    not_found: `page not found | not found | page doesn t exist | page does not exist | can t find that page | 404
      | couldn t find the page | product not found | page can t be found | no such product | nothing here
      | page you requested | page you were looking for | page you are looking for | no longer exists`,
    error: `something went wrong | an error occurred | an error has occurred | internal server error | server error
      | unexpected error | try again later | service unavailable | bad gateway | please try again | technical problem
      | technical difficulties | there was a problem | there was an error | gateway timeout`,
    payment_declined: `card was declined | card has been declined | payment was declined | payment declined | declined
      | card declined | insufficient funds | do not honor | your bank declined | payment was refused | card was refused
      | payment has been declined | transaction declined | card was not accepted | payment was not accepted
      | card is not accepted | card number is invalid | invalid card number | expired card | card has expired
      | security code is incorrect | incorrect card number`,
    payment_failed: `payment failed | payment could not be processed | could not process your payment | payment error
      | payment was not successful | unable to process your payment | couldn t process your payment | payment unsuccessful
      | payment was cancelled | payment was canceled | could not be charged | transaction failed | authentication failed
      | there was a problem with your payment | payment did not go through`,
    confirmation: `thank you for your order | thanks for your order | order confirmed | your order is confirmed
      | order received | order complete | order has been placed | order has been received | thank you for your purchase
      | your order has been confirmed | order placed | we ve received your order | we have received your order
      | order confirmation | thanks for your purchase | thank you your order | order successful | your order is complete
      | your order was placed | order was successful | thank you for shopping | thank you your order has been received
      | your order is on its way | order completed | we got your order | payment received`,
    order_number: `order number | order no | order id | order nr | order reference | confirmation number | order
      | your order number is | reference number | confirmation code | order code | purchase number | order ref`,
    processing: `processing your order | processing your payment | being processed | please wait | one moment
      | do not close this window | don t close this window | do not refresh | processing payment | order is being processed
      | hang tight | please do not close`,
    minimum_quantity: `minimum quantity | minimum order | minimum order quantity | at least | minimum purchase
      | order at least | sold in packs of | min order | min qty | must order at least | minimum of | in multiples of
      | minimum is`,
    session_expired: `session has expired | session expired | session timed out | your session has timed out
      | session is no longer valid | your cart has expired | you were away | checkout has expired | too long`,
    empty_cart: `your cart is empty | cart is empty | bag is empty | basket is empty | your cart is currently empty
      | nothing in your cart | no items in your cart | your bag is empty | your basket is empty | nothing here yet
      | shopping cart is empty | shopping bag is empty | no items in cart | no products in the cart`,
    cart: `shopping cart | your cart | shopping bag | your bag | basket | your basket | cart | my cart | cart totals | my bag`,
    checkout: `checkout | shipping address | delivery address | contact information | billing address | shipping details
      | delivery details | where to | shipping information | billing details | delivery information`,
    payment: `payment | payment details | payment method | pay with card | card details | payment information | pay securely`,
    review: `review your order | review order | order review | order summary | confirm your order | check your order
      | review and pay | please review`,
    captcha: `i m not a robot | i am not a robot | verify you are human | prove you are human | are you a robot | captcha
      | verify that you are human | are you human | security check | checking your browser | unusual traffic | press and hold
      | verifying you are human | recaptcha | human verification`,
    sign_in_needed: `please sign in | please log in | sign in to continue | log in to continue | sign in to check out
      | you must be logged in | you need to sign in | members only | log in to buy | login required | customers only
      | sign in to see | sign in required | you must sign in | must be signed in | sign in to order`,
    code_refused: `code is not valid | invalid code | invalid coupon | code has expired | coupon has expired | not a valid code
      | coupon does not exist | code is invalid | coupon is not valid | coupon is invalid | not applicable | code not found
      | code does not exist | coupon expired | invalid promo code | invalid discount code | code could not be applied
      | enter a valid discount code | does not apply | couldn t be applied | cannot be applied | isn t valid | no such code
      | coupon not found | unknown code | cannot be used | expired code | code is wrong | coupon cannot`,
    added: `added to your cart | added to cart | added to your bag | added to bag | added to your basket
      | added to basket | added to your shopping cart | added to the cart | has been added | have been added
      | was added | you have added | added to my cart | now in your cart | successfully added | item added`,
    code_taken: `coupon applied | code applied | discount applied | promo code applied | coupon code applied successfully
      | voucher applied | coupon has been applied | code has been applied | successfully applied | applied successfully
      | coupon code applied | was applied | is applied`,
    undeliverable: `do not ship to | don t ship to | cannot ship to | can t ship to | cannot deliver to | can t deliver to
      | don t deliver to | do not deliver to | not available for your address | no shipping methods available
      | no shipping options | shipping is not available | delivery is not available | cannot be shipped to
      | not available in your area | no delivery options | unable to ship | unable to deliver | outside our delivery area
      | doesn t ship to | does not ship to | not ship to this | no shipping method | not deliver to`,
    price_changed: `price has changed | prices have changed | price changed | total has changed | prices in your cart have changed
      | price was updated | prices were updated | price has been updated | price has increased | new price | new total
      | price of an item has changed | total changed | prices updated`,
    subscription: `subscription | subscribe and save | per month | monthly | every month | renews | auto renew | free trial
      | trial | recurring | billed monthly | billed annually | membership | cancel anytime | per year | a month
      | auto delivery | recurring payment | deliver every | delivered every | renews automatically`,
    quantity: `quantity | qty | pieces | pcs | amount`,
  },
  fields: {
    email: `email | e mail | email address | e mail address | mail address | your email | email or mobile phone number | mail`,
    salutation: `title | salutation | honorific | form of address | gender | sex`,
    full_name: `full name | name | your name | recipient | recipient name | first and last name | customer name
      | contact name | ship to name | complete name | fullname | name surname | recipient s name | receiver`,
    first_name: `first name | given name | forename | fname | firstname | christian name | given names`,
    last_name: `last name | surname | family name | lname | lastname`,
    company: `company | organization | organisation | business name | company name | business`,
    phone: `phone | telephone | phone number | mobile | mobile number | tel | contact number | cell | mobile phone | cell phone
      | telephone number | cellphone`,
    line1: `address | street address | address line 1 | address 1 | shipping address | delivery address | billing address
      | line 1 | street and number | street and house number | street address 1 | street 1 | addr 1 | addr | addr line 1 | first line of address`,
    line2: `address line 2 | flat | flat number | unit number | apartment number | address 2 | apt | apartment | suite | unit | apartment suite | apt suite | floor | line 2 | street 2
      | apt unit | apartment suite etc | building | apartment suite unit | additional address | street address 2 | addr 2 | second line of address
      | second address line`,
    street: `street | street name | road`,
    house_number: `house number | house name or number | house number or name | house name number | house number and name | name or number | door number | house no | street number | building number | number | house nr | house num | street no`,
    house_addition: `house number addition | number addition | house number suffix`,
    postal_code: `zip | postal code | postcode | zip code | post code | zip postal code | postal | pincode | pin code | eircode
      | zipcode | postalcode`,
    city: `city | town | town city | suburb | locality | city town | municipality | post town`,
    state: `state | province | region | county | state province | st | prefecture | territory | state county | administrative area
      | state region | zone`,
    country: `country | country region | nation | country code | country or region`,
    card_number: `card number | credit card number | debit card number | card no | cc number | ccnumber | cardnumber | card num
      | pan | cc num | number on card | credit card no | number of your card`,
    card_expiry: `expiry | expiration | expiry date | expiration date | exp date | valid thru | mm yy | mm yyyy | exp | valid until
      | expires | good thru | card expiry | cc exp | valid through | expdate | expiration mm yy | expires end`,
    card_expiry_month: `expiry month | expiration month | exp month | mm | month | card month | cc exp month`,
    card_expiry_year: `expiry year | expiration year | exp year | yy | yyyy | year | card year | cc exp year`,
    card_code: `cvc | ccv | cvc number | cvv number | ccv number | cv2 | card identification number | cvv | cvv 2 | security code | card code | cid | csc | card verification | card security code
      | verification number | cvc cvv | cvc 2 | 3 digits on the back | card verification code | cvn | cvv code | security number`,
    card_holder: `name on card | cardholder | cardholder name | card holder | card holder name | name of cardholder
      | name as it appears on card | cc name | card name | nameoncard | card owner | name on the card`,
    quantity: `quantity | qty | amount | how many`,
    promo_code: `promo code | coupon | coupon code | discount code | voucher | voucher code | gift card or discount code
      | promotional code | promotion code | promo | discount | offer code | code for discount | gift code`,
    password: `password | passphrase | passwd | your password`,
    one_time_code: `verification code | one time code | one time password | otp | code from email | confirmation code
      | security code from email | passcode | 6 digit code | sms code | code we sent | authentication code | login code
      | sign in code`,
    newsletter: `newsletter | subscribe to our newsletter | news and offers | subscribe | mailing list | join our mailing list
      | sign up for emails`,
    terms_consent: `terms | terms and conditions | terms of service | agree to the terms | i agree to | i have read
      | i accept the | accept terms | conditions of sale | general terms | terms of use | privacy policy | i agree
      | right of withdrawal | terms of sale`,
    marketing_consent: `marketing | email me with news | promotional emails | special offers | send me news | keep me updated
      | text me with news | keep me up to date | offers by email | receive offers | exclusive offers | promotions by email
      | send me offers | i want to receive | updates and offers | news and promotions`,
    save_card: `save card | save this card | save my card | remember card | save payment | save my payment information
      | save card for future | remember my card | store card | save my information | save this information
      | save for later | save payment method | save for next time | save for faster checkout | save my details`,
    create_account: `create account | create an account | register | sign up for an account | save my account
      | create a new account | open an account`,
    billing_same: `delivery and billing addresses are the same | billing information is the same | billing information same | billing and delivery address are the same | shipping and billing addresses are the same | use billing address | ship to this address | use this address for invoice | same address for shipping | same as shipping | same as shipping address | billing address same | same as delivery
      | use shipping address | billing same as shipping | use as billing address | billing address is the same
      | use same address | my billing and shipping | same address for billing | same as delivery address
      | use shipping address as billing | billing is same`,
    ship_elsewhere: `use different address for shipping | use a different address for shipping | ship to a different address | deliver to a different address | different shipping address | different delivery address | ship to another address`,
    bill_elsewhere: `different billing address | use a different billing address | another billing address`,
    date_of_birth: `date of birth | birthday | birth date | dob | birthdate`,
    order_notes: `order notes | notes | comments | delivery instructions | special instructions | order comment | message
      | note | order note | comment | delivery notes | instructions | remarks | gift message`,
    search: `search | search products | find products | search the store | what are you looking for | find | keyword`,
    other: `neighborhood | neighbourhood | landmark | fax | vat number | vat id | tax id | middle name | referral | how did you hear | gift card number
      | gift card | user name | username | gift card code | company number | pickup store | remember me | stay signed in | keep me signed in | rating | review | price
      | loyalty card number | loyalty card | loyalty number | membership number | identification number | tax number | id number
      | valid from | start date | issue number | place of birth | country of birth | mother s maiden name | maiden name | nickname
      | delivery time | delivery date | delivery slot | time slot | door code | gate code | access code`,
  },
  payments: {
    method: `payment method | how do you want to pay | payment options | pay with | payment type | payment | how to pay
      | payment methods | select payment method`,
    card: `credit card | debit card | card | credit or debit card | visa | mastercard | bank card | pay by card | cards
      | credit debit card | payment card | credit card payment | cc`,
    wallet: `paypal | apple pay | google pay | amazon pay | shop pay | wallet | alipay | wechat pay | venmo | cash app
      | crypto | bitcoin | skrill | samsung pay | link`,
    invoice: `invoice | pay by invoice | pay after delivery | purchase order | on account | bill me later | pay on invoice
      | pay later | net 30 | pay in 30 days | pay after 30 days | open invoice | buy now pay later`,
    instalments: `installments | instalments | pay in 4 | pay in 3 | four payments | monthly payments | financing | klarna
      | afterpay | affirm | clearpay | interest free payments | pay over time | payments of | zip pay | 4 payments | credit line`,
    cash: `cash on delivery | cod | pay on delivery | cash | pay at pickup | pay in store | check payments`,
    transfer: `bank transfer | wire transfer | direct debit | prepayment | direct bank transfer | sepa | sofort | ideal
      | money order | check | cheque | ach | online banking | pay in advance | trustly | eps | giropay | bancontact | bank deposit`,
    gift_card: `gift card | store credit | gift certificate | voucher`,
  },
  deliveries: {
    method: `shipping method | delivery method | delivery options | shipping options | how do you want it | shipping
      | delivery | choose shipping | delivery type | shipping speed | delivery speed`,
    standard: `standard | economy | regular | ground | standard shipping | free shipping | flat rate | standard delivery
      | mail | post | home delivery | saver`,
    express: `express | overnight | next day | priority | expedited | same day | fast | express shipping | rush
      | express delivery | two day | courier`,
    pickup: `pickup | pick up | collect | click and collect | in store | store pickup | local pickup | pick up in store
      | collection | collect in store | parcel shop | locker | pickup point | pick up point`,
    today: `today | same day`,
    tomorrow: `tomorrow | next day | overnight | next business day | next working day`,
    hours: `hour | hours | hrs`,
    days: `day | days | business days | working days | business day | working day | calendar days`,
    weeks: `week | weeks`,
  },
}
