import * as z from 'zod/mini'

/** Also in the header. */
export const ERP_ACCESS_REFUSED = 'O ERP recusou o usuário do painel. Avise a TI.'

/**
 * Every way the server may say no: the status it travels under and the words an operator reads. `{name}` is filled
 * from the refusal's values.
 */
export const refusals = {
  input_invalid: { status: 400, message: 'Dados inválidos. Verifique os campos.' },
  request_unreadable: { status: 400, message: 'Não foi possível ler o pedido.' },
  body_unreadable: { status: 400, message: 'Não foi possível ler os dados enviados.' },
  unsupported_media_type: { status: 415, message: 'Envie os dados em JSON.' },
  body_too_large: { status: 413, message: 'Os dados enviados são grandes demais.' },
  range_unsatisfiable: { status: 416, message: 'O trecho pedido não existe no arquivo.' },
  upload_header_missing: { status: 400, message: 'Envie o arquivo por uma tela do painel.' },
  upload_unexpected: { status: 415, message: 'Envie o arquivo sem outro formato (application/octet-stream).' },
  upload_empty: { status: 400, message: 'O arquivo está vazio.' },
  upload_too_large: { status: 413, message: 'O arquivo tem mais de {max} MB.' },
  upload_broken: { status: 400, message: 'O envio foi interrompido. Tente novamente.' },
  document_kind_unknown: { status: 400, message: 'O arquivo não é um PDF nem uma imagem PNG, JPEG ou WebP.' },
  document_damaged: { status: 400, message: 'O arquivo está incompleto ou danificado.' },
  image_too_large: {
    status: 400,
    message: 'A imagem tem {width} x {height} pontos: é grande demais para ser mostrada.',
  },
  document_exists: {
    status: 409,
    message: "Este arquivo já está em '{title}', revisão {revision}.",
  },
  revision_exists: { status: 409, message: "A revisão '{revision}' já existe neste documento." },
  revision_withdrawn: { status: 409, message: 'Esta revisão já foi retirada.' },
  revision_not_withdrawn: { status: 409, message: 'Esta revisão não está retirada.' },
  idempotency_key_missing: { status: 400, message: 'Falta o identificador do apontamento (Idempotency-Key).' },
  unknown_plant: { status: 400, message: 'Filial desconhecida.' },
  credentials_invalid: { status: 401, message: 'Usuário ou senha inválidos' },
  credentials_with_domain: {
    status: 401,
    message: 'Usuário ou senha inválidos. Use só o nome do usuário, sem o domínio da empresa.',
  },
  session_missing: { status: 401, message: 'Sessão expirada. Entre novamente.' },
  not_allowed: { status: 403, message: 'Acesso não permitido' },
  cross_origin: { status: 403, message: 'Acesso não permitido' },
  plain_http: { status: 403, message: 'Use o endereço seguro (https) do painel.' },
  not_found: { status: 404, message: 'Não encontrado.' },
  item_not_found: { status: 404, message: 'Código de barras não encontrado' },
  junction_not_found: { status: 404, message: 'Junção não encontrada para os parâmetros informados' },
  method_not_allowed: { status: 405, message: 'Operação não permitida neste endereço.' },
  idempotency_key_reused: {
    status: 409,
    message: 'Este identificador já foi usado em outro apontamento. Registre novamente.',
  },
  order_moved: {
    status: 409,
    message: 'Este apontamento é da ordem {was}; no ERP este código de barras é agora da ordem {is}.',
  },
  section_complete: { status: 409, message: 'Esta etapa já está 100% apontada.' },
  quantity_exceeds_balance: {
    status: 409,
    message: 'Quantidade maior que o saldo disponível. {left}.',
  },
  lot_is_code: { status: 409, message: 'O lote lido é o código de {what}. Leia a etiqueta do material.' },
  badge_removed: { status: 409, message: 'Havia um crachá no lugar de um dado, e ele foi retirado. Corrija.' },
  group_mismatch: { status: 409, message: 'O grupo de matéria-prima não é o desta junção. Abra a junção de novo.' },
  quantity_exceeds_junction: { status: 409, message: 'Quantidade deve estar entre 1 e {max}.' },
  terminal_missing_on_side: { status: 409, message: 'Erro: Não há terminal no lado {side} para este item' },
  pair_exists: { status: 409, message: 'Este par já está cadastrado' },
  too_many_pairs: {
    status: 429,
    message: 'São no máximo {max} cadastros novos por hora. Aguarde, ou peça a um administrador.',
  },
  changed_meanwhile: { status: 409, message: 'Registro alterado por outra pessoa. Recarregue.' },
  call_settled: { status: 409, message: 'Este chamado já foi resolvido.' },
  plan_overlaps: { status: 409, message: 'Já há um plano para este terminal e bitola nesse período.' },
  plan_own_approval: { status: 409, message: 'Quem criou a versão não a aprova: peça a outra pessoa.' },
  plan_in_past: { status: 400, message: 'Um plano não vale a partir de um dia que já passou.' },
  plan_not_met: { status: 409, message: 'O plano de controle pede uma medição boa antes de registrar.' },
  measurement_invalid: { status: 409, message: 'Esta medição já foi tirada das contas. Recarregue.' },
  measurement_counts: { status: 409, message: 'Esta medição já está nas contas. Recarregue.' },
  spc_too_few: { status: 409, message: 'Faltam amostras: {count} de {needed}.' },
  spc_no_variation: { status: 409, message: 'Sem variação: sem limites nem índices.' },
  plans_refused: { status: 400, message: 'Nenhum plano foi importado. Linhas com problema: {count}.' },
  instrument_exists: { status: 409, message: 'Já há um instrumento com este código.' },
  reason_exists: { status: 409, message: 'Já há um motivo com este texto.' },
  reason_fixed: { status: 409, message: 'Este motivo é fixo.' },
  scrap_of_containment: { status: 409, message: 'Este refugo é de uma contenção. Desfaça lá.' },
  measurement_inside: { status: 422, message: 'Esta medição está dentro do plano.' },
  measurement_not_counted: { status: 422, message: 'Esta medição foi tirada das contas.' },
  containment_too_large: { status: 409, message: 'Janela grande demais: estreite por ordem ou terminal.' },
  containment_exists: { status: 409, message: 'Já há a contenção {number} para esta medição.' },
  containment_closed: { status: 409, message: 'Esta contenção já foi encerrada.' },
  containment_undecided: { status: 409, message: '{left}' },
  containment_balance: { status: 409, message: '{left} nesta linha.' },
  maintenance_in_past: { status: 400, message: 'A previsão de manutenção não pode ser anterior a hoje.' },
  part_mounted: { status: 409, message: 'Retire {part} atual antes.' },
  part_removed: { status: 409, message: 'Esta peça já foi trocada ou retirada. Recarregue.' },
  done_in_future: { status: 400, message: 'O dia em que foi feita não pode ser depois de hoje.' },
  period_too_long: { status: 400, message: 'Por turno, no máximo 31 dias. Diminua o período.' },
  period_reversed: { status: 400, message: 'O início do período deve ser antes do fim.' },
  user_exists: { status: 409, message: 'Já existe um usuário com este nome.' },
  import_refused: { status: 400, message: 'Ninguém foi criado. Linhas com problema: {count}.' },
  first_access_over: { status: 409, message: 'Este painel já tem quem entra. Use seu usuário e sua senha.' },
  // no 401: nobody's session is over
  first_access_code_wrong: { status: 422, message: 'Código errado, ou de um início anterior do painel.' },
  last_admin: { status: 409, message: 'É o último administrador com acesso. Crie ou ative outro antes.' },
  promotion_short: {
    status: 409,
    message: 'Antes dê a esta pessoa uma senha de 10 caracteres ou mais: a de um administrador não é mais curta.',
  },
  password_short: { status: 400, message: 'A senha de administrador precisa de pelo menos 10 caracteres.' },
  password_weak: { status: 400, message: 'Senha fácil de adivinhar. Escolha outra.' },
  password_same: { status: 400, message: 'A senha nova é igual à atual. Escolha outra.' },
  // no 401: whoever asks is logged in
  current_password_wrong: { status: 422, message: 'A senha atual não confere.' },
  // no 401: another person's password, typed on the tablet of a person who is logged in
  release_login_wrong: { status: 422, message: 'Usuário ou senha não conferem.' },
  // no 403: nobody is shut out
  password_needed: { status: 428, message: 'Confirme a sua senha para continuar.' },
  own_password: { status: 409, message: "A própria senha se troca em 'Senha e sessões', com a senha atual." },
  directory_user: { status: 409, message: 'Nome, perfil e senha desta pessoa vêm do diretório da empresa: mude lá.' },
  badge_elsewhere: {
    status: 403,
    message: 'Crachá e PIN só valem numa estação compartilhada. Entre com usuário e senha.',
  },
  // no 401: whoever was logged in still is
  badge_wrong: { status: 422, message: 'Crachá ou PIN não confere.' },
  badge_without_pin: {
    status: 422,
    message: "Este crachá ainda não tem PIN. Defina em 'Configurações', 'Senha e sessões'.",
  },
  badge_locked: { status: 429, message: 'Muitas tentativas. Este crachá volta a valer aqui em {minutes} min.' },
  badge_blocked: { status: 422, message: 'Crachá bloqueado por PIN errado. Um administrador libera em Usuários.' },
  badge_useless: { status: 409, message: 'O perfil Consulta não usa crachá: com ele só se aponta.' },
  pin_weak: { status: 400, message: 'PIN fácil de adivinhar. Não use sequência, repetição nem ano de nascimento.' },
  device_unknown: { status: 409, message: 'O navegador não guardou este dispositivo. Saia, entre de novo e repita.' },
  plant_labels_alike: { status: 400, message: 'Duas filiais não podem ter o mesmo nome.' },
  epoch_not_decidable: { status: 409, message: 'Não há o que decidir agora. Leia a situação de novo.' },
  support_file_busy: {
    status: 429,
    message: 'O último arquivo de suporte acabou de sair. Tente de novo em {seconds} segundos.',
  },
  erp_check_busy: { status: 409, message: 'Uma conferência já está em andamento. Aguarde.' },
  directory_trial_busy: { status: 409, message: 'Um teste do diretório já está em andamento. Aguarde.' },
  directory_unconfigured: { status: 409, message: 'Este painel não usa um diretório: todos os usuários são locais.' },
  erp_unsettled: {
    status: 409,
    message:
      'O ERP de agora ainda não respondeu de {count} envios. Espere, ou confirme que é o mesmo ERP em outro endereço.',
  },
  several_servers: {
    status: 409,
    message: 'Com mais de um servidor, o ERP e as senhas se definem por variáveis, iguais em cada um.',
  },
  pending_settled: { status: 409, message: 'Esta pendência já foi resolvida.' },
  pending_under_way: { status: 409, message: 'Este apontamento está a caminho do ERP. Tente novamente mais tarde.' },
  erp_refused: { status: 422, message: 'O ERP recusou o apontamento.' },
  too_many_attempts: { status: 429, message: 'Muitas tentativas. Tente novamente em {seconds} segundos.' },
  too_many_retained: {
    status: 429,
    message: 'Muitos apontamentos deste dispositivo ou usuário esperam por um administrador.',
  },
  too_many_deliveries: { status: 429, message: 'Muitos envios em pouco tempo. Seguem em {seconds} segundos.' },
  /** Limits one sort of call: everything else of the same device goes on. */
  too_many_of_person: {
    status: 429,
    message: 'Muitos envios desta pessoa em pouco tempo. Seguem em {seconds} segundos.',
  },
  too_many_streams: {
    status: 429,
    message: 'Muitas telas do painel abertas neste dispositivo ou por este usuário. Feche as que não usa.',
  },
  too_many_searches: { status: 429, message: 'Muitas pesquisas ao mesmo tempo. Aguarde.' },
  internal: { status: 500, message: 'Erro interno. Tente novamente; se persistir, avise o suporte.' },
  erp_auth: { status: 502, message: ERP_ACCESS_REFUSED },
  erp_bad_answer: { status: 502, message: 'O ERP respondeu algo que não foi possível entender.' },
  erp_unreadable: { status: 502, message: 'Na resposta do ERP faltam quantidades, ou não são números. Avise a TI.' },
  erp_busy: { status: 503, message: 'ERP ocupado. Tente novamente em instantes.' },
  erp_unconfigured: {
    status: 503,
    message: 'O ERP ainda não está configurado. Um administrador o define em Configurações, Instalação.',
  },
  erp_unavailable: { status: 503, message: 'ERP indisponível. Tente novamente em instantes.' },
  store_unavailable: { status: 503, message: 'Banco de dados indisponível. Tente novamente em instantes.' },
  overloaded: { status: 503, message: 'Servidor ocupado. Tente novamente em instantes.' },
  directory_unavailable: {
    status: 503,
    message: 'O diretório da empresa não respondeu. Tente novamente; usuários locais do painel entram sem ele.',
  },
  document_folder_unavailable: {
    status: 503,
    message: 'A pasta dos documentos está inacessível. Tente novamente; se persistir, avise o suporte.',
  },
  disk_full: { status: 507, message: 'Falta espaço no disco do servidor. Avise o suporte.' },
  erp_timeout: { status: 504, message: 'O ERP não respondeu a tempo. Tente novamente.' },
} as const satisfies Record<string, { status: number; message: string }>

export type RefusalCode = keyof typeof refusals

export const FieldError = z.strictObject({
  field: z.string(),
  message: z.string(),
  /** This server's version has no such field, whatever its value, or no such word: a newer one may. */
  isUnknown: z.optional(z.literal(true)),
})
export type FieldError = z.infer<typeof FieldError>

/** The shape of every error answer. `message` is ready for an operator, `code` is stable. */
export const ErrorReply = z.object({
  message: z.string(),
  code: z.string(),
  details: z.optional(z.array(FieldError)),
})
export type ErrorReply = z.infer<typeof ErrorReply>

export const refusalText = (code: RefusalCode, values: Record<string, string | number> = {}): string =>
  refusals[code].message.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

type Issue = {
  code?: string | undefined
  message: string
  origin?: unknown
  input?: unknown
  maximum?: unknown
  minimum?: unknown
  exact?: unknown
}

/** A schema's complaint in the operator's language. Messages that the schema wrote itself are kept. */
export function issueText(issue: Issue): string {
  if (issue.message && issue.message !== 'Invalid input') return issue.message
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'Campo obrigatório' : 'Tipo de dado inválido'
  if (issue.exact && issue.origin === 'string') return `Esperados ${issue.maximum ?? issue.minimum} caracteres`
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? `Texto longo demais (máximo ${issue.maximum})`
      : `Valor acima do máximo (${issue.maximum})`
  }
  if (issue.code === 'too_small') {
    return issue.origin === 'string' ? 'Campo obrigatório' : `Valor abaixo do mínimo (${issue.minimum})`
  }
  if (issue.code === 'unrecognized_keys') return 'Campo desconhecido'
  return 'Valor inválido'
}
