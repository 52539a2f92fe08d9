import type { DirectoryFault } from '../../contract/health.ts'

/** Each fault with its cure, in words; `isAway`: the directory does not answer at all. */
export const directoryFaults: Record<DirectoryFault, { isAway: boolean; sentence: string }> = {
  unknown_name: {
    isAway: true,
    sentence: 'O nome em LDAP_URL não existe na rede: confira LDAP_URL e o DNS do servidor do painel.',
  },
  unreachable: {
    isAway: true,
    sentence: 'Ninguém atende no endereço e porta de LDAP_URL: confira a porta e o firewall.',
  },
  timeout: {
    isAway: true,
    sentence: 'O diretório não respondeu a tempo: veja se ele está no ar e se um firewall segura a conexão.',
  },
  broken: {
    isAway: true,
    sentence: 'A conexão com o diretório caiu antes da resposta: confira a porta, ldaps na 636 e ldap na 389.',
  },
  certificate: {
    isAway: true,
    sentence:
      'O certificado do diretório não vale aqui: ponha quem o assinou em LDAP_CA_FILE e, em LDAP_URL, o nome dele.',
  },
  no_tls: {
    isAway: true,
    sentence: 'O diretório não oferece TLS nesta porta: ligue o TLS nele, ou confira LDAP_URL.',
  },
  busy: { isAway: true, sentence: 'O diretório diz que não pode atender agora: veja a carga e o log dele.' },
  needs_tls: { isAway: false, sentence: 'O diretório exige TLS: use ldaps:// em LDAP_URL e tire LDAP_ALLOW_PLAIN.' },
  account: {
    isAway: false,
    sentence:
      'O diretório recusa a conta de serviço: confira LDAP_USER e LDAP_PASSWORD, e se ela está bloqueada ou a senha venceu.',
  },
  paused: {
    isAway: false,
    sentence:
      'A conta de serviço foi recusada há pouco: corrija-a e reinicie o painel, ou repita em 10 minutos; até lá ele espera, para não a bloquear.',
  },
  base: { isAway: false, sentence: 'LDAP_BASE não existe no diretório, ou a conta de serviço não a vê: confira.' },
  rights: { isAway: false, sentence: 'A conta de serviço não pode pesquisar em LDAP_BASE: dê a ela leitura.' },
  search: {
    isAway: false,
    sentence: 'O diretório não aceitou a pesquisa: confira LDAP_FILTER, LDAP_LOGIN_ATTRIBUTE e LDAP_GROUPS.',
  },
  nobody: {
    isAway: false,
    sentence:
      'De muitas pessoas nenhuma foi achada com um grupo: confira LDAP_FILTER, LDAP_GROUPS e o que a conta de serviço vê.',
  },
}
