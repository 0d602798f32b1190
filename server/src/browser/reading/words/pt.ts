import type { ShopWords } from './shop-words.ts'

export const pt: ShopWords = {
  language: 'pt',
  actions: {
    add_to_cart: `adicionar ao carrinho | colocar no carrinho | adicionar à sacola | adicionar ao cesto | adicionar no carrinho | pôr no carrinho
      | adicionar à cesta | adicionar à bolsa`,
    buy_now: `comprar agora | comprar já | comprar | compre agora`,
    view_cart: `ver carrinho | carrinho | ir para o carrinho | meu carrinho | ver sacola | sacola | o meu carrinho | cesto | ver o carrinho
      | ver cesta | visualizar cesta | cesta | visualizar carrinho`,
    checkout: `finalizar compra | fechar pedido | ir para o checkout | finalizar pedido | encerrar compra | checkout | concluir compra
      | prosseguir para o pagamento | ir para a caixa
      | prosseguir com pedido | prosseguir com o pedido | finalizar o pedido`,
    continue: `continuar | avançar | próximo | seguinte | prosseguir | continuar para o envio | continuar para a entrega | ir para o pagamento
      | continuar para o pagamento | salvar e continuar | guardar e continuar | confirmar | próxima etapa | salvar | guardar`,
    as_guest: `continuar como convidado | comprar como convidado | como convidado | convidado | comprar sem cadastro | visitante
      | continuar sem conta | comprar sem registo | continuar sem cadastro | como visitante
      | usuário não registrado | utilizador não registado | sem cadastro | sem registo | sem registro | sem conta | sem criar conta | sem criar uma conta`,
    sign_in: `entrar | iniciar sessão | fazer login | login | acessar conta`,
    place_order: `pagar | pagar agora | fazer pedido | confirmar pedido | finalizar e pagar | confirmar e pagar | concluir pedido
      | encomendar com obrigação de pagamento | efetuar pagamento | confirmar compra | confirmar encomenda | fazer encomenda
      | confirmar pagamento | realizar pedido | comprar e pagar | enviar pedido`,
    accept_cookies: `aceitar | aceitar tudo | aceitar todos | aceitar cookies | aceito | concordo | permitir todos | aceitar todos os cookies
      | entendi | aceitar e fechar`,
    reject_cookies: `rejeitar | rejeitar tudo | rejeitar todos | recusar | apenas necessários | só necessários | recusar todos
      | apenas os necessários | rejeitar cookies | continuar sem aceitar | recusar cookies`,
    close: `fechar | mais tarde | agora não | depois`,
    decline_offer: `não obrigado | não obrigada | sem proteção | pular | ignorar | não | sem seguro | não quero`,
    keep_address: `manter este endereço | usar meu endereço | manter endereço | endereço digitado | usar o endereço digitado
      | manter esta morada | usar a morada introduzida | morada introduzida | endereço informado`,
    apply_code: `aplicar | aplicar código | usar código | resgatar | aplicar cupom | aplicar cupão | validar`,
    have_code: `código promocional | cupom de desconto | tem um cupom | inserir código | código de desconto | adicionar cupom | cupão de desconto
      | tenho um cupom | tem um código`,
    pay_by_card: `cartão de crédito | cartão | pagar com cartão | cartão de crédito ou débito | cartão de débito`,
    ship_here: `enviar para este endereço | entregar aqui | entregar neste endereço | enviar para esta morada`,
    continue_shopping: `continuar comprando | continuar a comprar | voltar à loja | voltar para a loja | cancelar | continuar as compras`,
    subscribe: `assinar | inscrever se | subscrever | cadastrar | criar conta | cadastre se | registar | teste grátis`,
    remove: `remover | excluir | eliminar | esvaziar carrinho | apagar`,
    other: `adicionar aos favoritos | adicionar à lista de desejos | comparar | pagar com paypal | continuar com paypal | continuar com google
      | configurar cookies | personalizar | avise me | buscar | pesquisar | termos e condições | sair | saiba mais | atualizar carrinho
      | pagar em parcelas | pagar depois | cartão presente | alterar endereço | esqueci a senha | cancelar pedido`,
  },
  totals: {
    subtotal: `subtotal | produtos | itens | artigos | total dos produtos | valor dos produtos`,
    shipping: `frete | envio | entrega | portes | portes de envio | custo de envio | taxa de entrega | custos de envio | valor do frete`,
    tax: `iva | impostos | imposto | taxas | icms`,
    tax_included: `iva incluído | impostos incluídos | inclui iva | incl iva | com iva incluído | impostos inclusos | inclui impostos
      | dos quais iva`,
    discount: `desconto | cupom | cupão | promoção | código promocional | descontos | vale`,
    fee: `taxa de serviço | taxa | sobretaxa | taxa de pagamento | encargos | embrulho | gorjeta | acréscimo`,
    total: `total | total do pedido | valor total | total a pagar | a pagar | total da encomenda | total com iva | soma | preço total
      | total geral | total iva incluído`,
    other: `você economiza | poupa | preço unitário | preço | número do pedido | total sem iva | economia | poupança | pontos`,
  },
  states: {
    in_stock: `em estoque | em stock | disponível`,
    sold_out: `esgotado | sem estoque | indisponível | fora de estoque | sem stock | não disponível | esgotada | não está mais disponível
      | stock insuficiente | estoque insuficiente`,
    low_stock: `últimas unidades | poucas unidades | restam | quase esgotado | apenas restam`,
    not_found: `página não encontrada | não encontrada | não existe | produto não encontrado`,
    error: `algo deu errado | ocorreu um erro | erro no servidor | erro inesperado | tente novamente | algo correu mal | erro interno`,
    payment_declined: `cartão foi recusado | cartão recusado | pagamento recusado | pagamento foi recusado | saldo insuficiente
      | cartão expirado | pagamento não autorizado | cartão inválido | número do cartão inválido`,
    payment_failed: `pagamento falhou | falha no pagamento | erro no pagamento | não foi possível processar o pagamento | pagamento não foi
      | pagamento cancelado`,
    confirmation: `obrigado pelo seu pedido | obrigado pela sua compra | pedido confirmado | obrigado pela sua encomenda | pedido recebido
      | confirmação do pedido | encomenda confirmada | pedido realizado | compra realizada | recebemos seu pedido | pedido concluído
      | obrigado por comprar | recebemos o seu pedido | encomenda recebida | obrigada pela sua compra | confirmação da encomenda
      | pedido foi realizado | pedido foi efetuado | pedido foi processado | encomenda foi efetuada | encomenda foi processada
      | pedido foi registrado | encomenda foi registada | pedido foi recebido`,
    order_number: `número do pedido | número da encomenda | n do pedido | pedido | encomenda | pedido n | código do pedido | pedido número
      | número do seu pedido | número da sua encomenda`,
    processing: `processando | aguarde | um momento | em processamento | a processar | não feche esta janela | por favor aguarde`,
    minimum_quantity: `quantidade mínima | pedido mínimo | compra mínima | pelo menos | mínimo de | encomenda mínima`,
    session_expired: `sessão expirou | sessão expirada`,
    empty_cart: `carrinho está vazio | seu carrinho está vazio | nenhum produto no carrinho | sacola está vazia | carrinho vazio
      | não há produtos no carrinho`,
    cart: `carrinho | carrinho de compras | sacola | meu carrinho`,
    checkout: `finalizar compra | endereço de entrega | morada de entrega | dados de entrega | informações de contato | morada de envio
      | dados pessoais | endereço de cobrança | morada de faturação`,
    payment: `pagamento | forma de pagamento | método de pagamento | dados de pagamento | meio de pagamento`,
    review: `revisar pedido | resumo do pedido | resumo | revise seu pedido | resumo da encomenda | rever encomenda`,
    captcha: `não sou um robô | verifique que é humano | captcha | verificação de segurança | você é humano | confirme que é humano`,
    sign_in_needed: `faça login para | inicie sessão para | é necessário fazer login | apenas para membros | apenas para clientes
      | entre para | deve iniciar sessão`,
    code_refused: `código inválido | cupom inválido | cupão inválido | código expirado | cupom expirado | não é válido | cupom não existe
      | código não é válido | cupão expirado | não aplicável | código não existe | cupom não é válido`,
    added: `adicionado ao carrinho | foi adicionado | adicionado com sucesso | adicionado ao seu carrinho
      | adicionado à sacola`,
    code_taken: `cupom aplicado | código aplicado | desconto aplicado | cupão aplicado | foi aplicado | aplicado com sucesso`,
    undeliverable: `não entregamos | não enviamos | entrega não disponível | nenhum método de envio | não é possível entregar
      | não realizamos entregas`,
    price_changed: `preço mudou | preços mudaram | preço foi atualizado | preço foi alterado | preço alterado | total mudou | novo preço`,
    subscription: `assinatura | por mês | mensal | todo mês | teste grátis | renovação automática | subscrição | por ano | cada mês | renova se`,
    quantity: `quantidade | qtd | unidades | qtde`,
  },
  fields: {
    email: `e mail | email | endereço de e mail | correio eletrónico | endereço de email`,
    salutation: `tratamento | pronome de tratamento | sexo | género`,
    full_name: `nome completo | nome e sobrenome | destinatário | nome e apelido | seu nome`,
    first_name: `nome | primeiro nome | nome próprio`,
    last_name: `sobrenome | apelido | último nome`,
    company: `empresa | razão social | nome da empresa`,
    phone: `telefone | celular | telemóvel | número de telefone | telefone celular`,
    line1: `endereço | morada | rua e número | endereço linha 1 | logradouro e número | endereço de entrega | morada de entrega | linha 1 | primeira linha do endereço`,
    line2: `complemento | apartamento | andar | endereço linha 2 | linha 2 | segunda linha do endereço | bloco | porta | informações adicionais`,
    street: `rua | logradouro | nome da rua`,
    house_number: `número | nº | número da porta | n`,
    house_addition: ``,
    postal_code: `cep | código postal`,
    city: `cidade | localidade | município`,
    state: `estado | uf | distrito | província | região`,
    country: `país | país região`,
    card_number: `número do cartão | número de cartão | n do cartão | número do cartão de crédito`,
    card_expiry: `validade | data de validade | vencimento | mm aa | mm aaaa | data de expiração | data de vencimento
      | válido até | válida até`,
    card_expiry_month: `mês | mês de validade`,
    card_expiry_year: `ano | ano de validade | aa | aaaa`,
    card_code: `código de segurança | cvv | cvc | código cvv | código de verificação do cartão
      | ccv | csc | cvn | número ccv | número cvv | número cvc | código ccv | código cvc`,
    card_holder: `nome no cartão | titular | titular do cartão | nome do titular | nome impresso no cartão | nome como no cartão`,
    quantity: `quantidade | qtd | qtde`,
    promo_code: `código promocional | cupom | cupão | cupom de desconto | código de desconto | cupão de desconto | vale desconto`,
    password: `senha | palavra passe | password`,
    one_time_code: `código de verificação | código de confirmação | código recebido | código único`,
    newsletter: `newsletter | boletim`,
    terms_consent: `termos e condições | aceito os | li e aceito | política de privacidade | termos de uso | condições gerais | concordo com`,
    marketing_consent: `receber ofertas | ofertas e novidades | novidades e ofertas | receber promoções | comunicações de marketing | receber novidades`,
    save_card: `salvar cartão | guardar cartão | salvar este cartão | lembrar cartão | guardar dados do cartão | salvar meus dados`,
    create_account: `criar conta | criar uma conta | cadastre me`,
    billing_same: `mesmo endereço | igual ao endereço de entrega | mesma morada | igual à morada de entrega | endereço de cobrança é o mesmo
      | usar o mesmo endereço | morada de faturação igual`,
    ship_elsewhere: `enviar para um endereço diferente | entregar em um endereço diferente | entregar noutra morada | enviar para outro endereço`,
    bill_elsewhere: `endereço de cobrança diferente | morada de faturação diferente`,
    date_of_birth: `data de nascimento`,
    order_notes: `observações | comentários | notas | instruções de entrega | mensagem | comentário`,
    search: `buscar | pesquisar | pesquisa | busca`,
    other: `bairro | ponto de referência | fax | cpf | cnpj | nif | cartão presente | bairro | nome de usuário | lembrar me
      | válido a partir de | local de nascimento | cartão de fidelidade | número do cartão de fidelidade`,
  },
  payments: {
    method: `forma de pagamento | método de pagamento | meio de pagamento | pagamento`,
    card: `cartão de crédito | cartão | cartão de débito | cartão de crédito ou débito`,
    wallet: `paypal | apple pay | google pay | mercado pago | mb way`,
    invoice: `fatura | a prazo | pagar depois | pague depois | pagamento a 30 dias`,
    instalments: `parcelado | parcelas | prestações | em 3 vezes | klarna | sem juros`,
    cash: `à cobrança | dinheiro | na entrega | pagamento na loja | contra reembolso`,
    transfer: `transferência | boleto | pix | multibanco | transferência bancária | débito direto`,
    gift_card: `cartão presente | vale presente`,
  },
  deliveries: {
    method: `método de envio | forma de entrega | forma de envio | entrega | envio | frete | método de entrega | opções de entrega`,
    standard: `padrão | normal | econômico | standard | pac | ao domicílio | domicílio`,
    express: `expresso | expressa | sedex | rápida | urgente | express`,
    pickup: `retirada | retirar na loja | levantamento | levantar na loja | ponto de retirada | na loja | ponto de recolha`,
    today: `hoje`,
    tomorrow: `amanhã`,
    hours: `hora | horas`,
    days: `dia | dias | dias úteis | dia útil`,
    weeks: `semana | semanas`,
  },
}
