import type { WindowSentences } from './sentences.ts'

export const pt: WindowSentences = {
  loading: 'Um momento…',
  askedBy: (site) => `Pedido por ${site}`,
  confirmPayment: 'Confirmar um pagamento',
  makePasskey: 'Criar uma chave de acesso para o seu cartão',
  confirmCard: 'Confirmar o seu cartão',
  passkeyText:
    'Com uma chave de acesso neste dispositivo, confirma compras com impressão digital, rosto ou PIN.',
  bankText: 'O seu banco pergunta na página dele se é você. De lá você volta para cá.',
  shop: 'Loja',
  atMost: 'No máximo',
  card: 'Cartão',
  usePasskey: 'Confirmar com chave de acesso',
  createPasskey: 'Criar chave de acesso',
  confirm: 'Continuar no seu banco',
  refuse: 'Não',
  working: 'À espera do seu dispositivo…',
  proven: 'Confirmado',
  provenText: (site) => `Feche esta janela e continue em ${site}.`,
  refused: 'Não confirmado',
  refusedText: (site) => `Nada foi pago. Feche esta janela; em ${site} pode tentar de novo.`,
  over: 'Esta janela já não é válida',
  overText: 'Foi usada ou esperou demasiado. Feche-a e recomece na página de onde veio.',
  noPasskeys: 'Este navegador não tem chaves de acesso',
  noPasskeysText:
    'Abra a página de onde veio num navegador atual, num dispositivo com bloqueio de ecrã, ou pague com outro cartão.',
  tryAgain: 'Tentar de novo',
  offline: 'Sem ligação. Verifique se está online e tente de novo.',
  close: 'Fechar janela',
  testBank: 'Modo de teste: o banco é o da sandbox.',
}
