/** Findings about an answer: whether each is an error, and in words its meaning and its cure. */
const table = {
  no_name: ['wrong', 'Este nome não existe na rede. Confira ERP_URL e o DNS deste servidor.'],
  connection_refused: [
    'wrong',
    'Ninguém atende nesta porta. Confira a porta de ERP_URL e se o REST do Protheus está no ar.',
  ],
  no_connection: ['wrong', 'Não foi possível conectar. Confira ERP_URL, a rede e o firewall entre os servidores.'],
  no_tls: ['wrong', 'O endereço não atende com TLS. Escreva ERP_URL com http://, ou ligue o TLS no Protheus.'],
  certificate: [
    'wrong',
    'Este servidor não conhece quem assinou o certificado do ERP. Dê a ele a autoridade (NODE_EXTRA_CA_CERTS).',
  ],
  certificate_over: ['wrong', 'O certificado do ERP venceu, ou o relógio deste servidor está errado. Renove-o.'],
  certificate_name: [
    'wrong',
    'O certificado do ERP é de outro nome. Escreva em ERP_URL um nome que está nele, ou emita outro.',
  ],
  certificate_ends: ['notice', 'O certificado do ERP está no fim do prazo. Renove-o antes.'],
  clock: [
    'wrong',
    'O relógio do ERP e o deste servidor diferem em mais de um minuto. Acerte os dois pela mesma fonte (NTP).',
  ],
  stand_in: ['notice', 'Quem responde é um ERP de ensaio, não o Protheus da fábrica.'],
  no_answer: ['wrong', 'Conectou e não respondeu a tempo. Veja no Protheus o que esta chamada espera.'],
  broken_connection: ['wrong', 'A conexão caiu antes da resposta inteira. Veja o console.log do AppServer.'],
  slow: ['notice', 'Demorou mais de 3 segundos, que é o que uma tela espera. Veja índices, processos e o console.log.'],
  not_called: ['wrong', 'Não foi chamada: as anteriores falharam seguidas. Corrija aquelas e rode de novo.'],
  login_refused: [
    'wrong',
    'O ERP não aceitou o usuário. Confira ERP_USER e ERP_PASSWORD, ou mude tokenParameters ou auth em ERP_CONFIG.',
  ],
  no_access_token: ['wrong', 'A resposta da entrada não traz o token. Confira o caminho paths.token em ERP_CONFIG.'],
  no_expiry: ['notice', 'Não diz por quantos segundos o token vale: o painel conta 3600.'],
  not_allowed: ['wrong', 'O ERP não deixa este usuário chamar isto. Dê a ele o direito de usar esta classe REST.'],
  no_such_path: ['wrong', 'O ERP não conhece este caminho. Publique o serviço ou mude o caminho em ERP_CONFIG.'],
  busy: ['wrong', 'O AppServer não tem processo ou licença livre. Aumente Instances ou diminua ERP_MAX_CONCURRENT.'],
  proxy: ['wrong', 'Um proxy ou o AppServer responde no lugar do serviço. Veja se o REST está no ar atrás dele.'],
  html: ['wrong', 'Veio uma página e não JSON. Confira o caminho e o console.log do AppServer.'],
  crashed: ['wrong', 'O programa do ERP parou com erro. Veja o console.log do AppServer.'],
  erp_error: ['wrong', 'O ERP respondeu um erro a uma ordem que devia mostrar. Confira a ordem e o programa.'],
  not_json: [
    'wrong',
    'O texto não é JSON inteiro. Monte a resposta com JsonObject ou FWSerialize, não com textos somados.',
  ],
  several_documents: [
    'notice',
    'Vieram vários documentos JSON numa resposta; o painel lê o último. Chame SetResponse uma vez só.',
  ],
  unreadable: [
    'wrong',
    'A resposta vem comprimida de um modo que não se lê, ou cortada. Não é o programa: veja a compressão do REST ou do proxy.',
  ],
  not_compressed: [
    'notice',
    'O cabeçalho diz que a resposta vem comprimida e ela não vem. Tire-o do serviço ou do proxy.',
  ],
  empty: ['wrong', 'A resposta veio vazia. Veja se um texto com bytes fora de CP1252 anulou o EncodeUTF8.'],
  no_list: ['wrong', 'Nestes campos não há lista. Mande as linhas em items.'],
  repeated_page: [
    'wrong',
    'O campo promete mais e a página se repete. Leia page e pageSize, e mande hasNext falso no fim.',
  ],
  maybe_cut: [
    'notice',
    'Vieram dezenas exatas e nenhum hasNext. Se a ordem tem mais linhas, mande hasNext e leia page.',
  ],
  no_rows: ['wrong', 'Nenhuma linha. O painel não terá o que oferecer aqui.'],
  order_not_found: [
    'wrong',
    'Nenhuma filial tem itens desta ordem. Confira a ordem, e PLANTS e ERP_COMPANY, que formam o tenantId.',
  ],
  not_by_barcode: [
    'wrong',
    'A procura por este código (tipo=CODBAR) não devolve o item dele. Trate termo com 22 caracteres.',
  ],
  absent: ['wrong', 'O campo falta. Mande-o em toda linha, vazio quando não há valor.'],
  renamed: ['wrong', 'O campo falta; veio um de nome parecido. Troque o nome no serviço REST.'],
  blank: ['wrong', 'O campo veio em branco e é a chave da linha.'],
  null_text: ['notice', 'Veio nulo e é lido como vazio. Mande texto vazio; nulo costuma ser um EncodeUTF8 que falhou.'],
  no_text: ['wrong', 'Esperado um texto.'],
  number_for_code: ['wrong', 'É um código e veio como número: os zeros à esquerda se perdem. Mande-o como texto.'],
  broken_text: ['wrong', 'Os acentos se perderam. Converta uma vez só, com EncodeUTF8, ou mande CP1252 inteiro.'],
  null_quantity: ['wrong', 'A quantidade veio nula. Mande 0; uma linha assim é descartada.'],
  no_number: ['wrong', 'Não é um número. Mande 120, "120.00" ou "1.250,00", sem unidade.'],
  thousands_or_decimals: [
    'notice',
    'O painel lê ponto ou vírgula antes de três algarismos como decimais: 1.000 é 1. Se é milhar, mande o número sem ele.',
  ],
  huge: ['notice', 'A quantidade passa de 1.000.000. Confira o campo: pode ser um dia ou um código.'],
  many_decimals: ['notice', 'A quantidade tem mais de duas casas decimais. Arredonde-a no serviço.'],
  over_hundred: ['notice', 'O percentual passa de 100. Confira a conta do serviço.'],
  over_ordered: ['notice', 'A quantidade registrada é maior que a da ordem. Confira a soma do serviço.'],
  negative: ['wrong', 'A quantidade é negativa.'],
  no_pieces: ['notice', 'A ordem está sem peças nesta linha: não há o que apontar.'],
  no_limit: ['notice', 'O limite falta: o formulário abre sem ele e nada avisa abaixo do mínimo.'],
  not_yes_no: ['wrong', 'Esperado S, N ou vazio.'],
  barcode_length: ['wrong', 'O código de barras deve ter 22 caracteres: com outro tamanho o leitor não abre o item.'],
  duplicate: ['wrong', 'Duas linhas têm a mesma chave; o painel só vê a última.'],
  other_branch: ['wrong', 'A linha é de outra filial e é descartada. Confira tenantId e o filtro de filial.'],
  other_order: ['wrong', 'A linha é de outra ordem. Filtre pelo termo pedido, inteiro.'],
  not_at_position: ['wrong', 'Nenhuma ponta do circuito é a posição pedida. Mande POSIÇÃO|E ou POSIÇÃO|D.'],
  no_materials: ['wrong', 'Falta o grupo de matéria-prima da posição: sem ele a junção não se aponta.'],
  no_circuits: ['wrong', 'Não veio circuito nenhum: o desenho da junção fica vazio.'],
  no_test: ['notice', 'Não há teste de extração: o formulário abre sem força mínima.'],
  lookup_off: ['notice', 'Sem a procura pelo identificador, muitos apontamentos ficam para uma pessoa.'],
  lookup_unclear: [
    'wrong',
    'Um identificador que não existe deve dar 404 com um JSON. Corrija o caminho ou o serviço; sem ele, ERP_LOOKUP=none.',
  ],
  lookup_foreign: ['wrong', 'O ERP diz que conhece um identificador que acabou de ser sorteado.'],
  no_work_open: ['wrong', 'Nenhum item desta ordem tem saldo para 1 peça. Escolha outra ordem de teste.'],
  write_refused: ['wrong', 'O ERP recusou o apontamento de teste com estas palavras.'],
  write_unclear: [
    'wrong',
    'A resposta não confirma nem recusa. Devolva ID_INTEGRACAO e o número do registro, ou mude confirms em ERP_CONFIG.',
  ],
  write_not_sent: ['wrong', 'O ERP não aceitou a chamada, nada foi gravado.'],
  repeat_refused: ['notice', 'O mesmo identificador outra vez deve receber a primeira resposta, sem gravar.'],
  id_unknown: [
    'wrong',
    'O ERP não acha o apontamento que acabou de receber. Grave o identificador na mesma transação.',
  ],
  not_counted: ['wrong', 'A quantidade registrada não mudou. Some a peça na mesma transação do apontamento.'],
  counted_twice: [
    'notice',
    'O ERP gravou duas vezes o mesmo ID_INTEGRACAO. O painel pergunta antes de repetir, mas o índice único é a garantia.',
  ],
  counted_otherwise: ['wrong', 'A quantidade mudou de outro modo: outros apontam nesta ordem, ou o ERP soma errado.'],
  stored: ['notice', 'Ficou apontada 1 peça de teste. Estorne-a no Protheus.'],
} as const satisfies Record<string, readonly [level: 'wrong' | 'notice', sentence: string]>

export type FindingCode = keyof typeof table

/** `value` is raw, as it came: it may hold anything, and is for whoever sits at the server. */
export type Finding = {
  code: FindingCode
  level: 'wrong' | 'notice'
  sentence: string
  field: string
  value: string
  /** How many rows have it, and the first of them. */
  rows: string
}

const VALUE_LENGTH_MAX = 80

export const valueText = (value: unknown): string =>
  value === undefined ? 'ausente' : (JSON.stringify(value) ?? String(value)).slice(0, VALUE_LENGTH_MAX)

/** `value` undefined: there was none. */
export function finding(code: FindingCode, field: string, value?: unknown, rows = ''): Finding {
  const [level, sentence] = table[code]
  return { code, level, sentence, field, value: valueText(value), rows }
}
