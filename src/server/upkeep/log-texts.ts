/** Log messages as an administrator reads them in the panel. The log of the machine stays in the language of the code. */
const texts: Record<string, string> = {
  "this server's clock is not the database's": 'O relógio deste servidor difere do relógio do banco de dados',
  'times in the future were brought back to now':
    'Horas no futuro, gravadas com o relógio errado, foram trazidas para agora',
  'times in the future could not be looked for': 'Horas no futuro não puderam ser procuradas',
  'the clock is far ahead of when it was last believed: nothing is deleted by it':
    'O relógio está muito à frente de quando se acreditou nele: nada é apagado por ele',
  'the database is younger than what was seen of it: a new epoch has begun':
    'O banco de dados é mais antigo que o já visto: começou uma nova época, e o que espera é consultado no ERP',
  'a device has seen more of the database than there is: deliveries are asked about first':
    'Um dispositivo viu mais deste banco do que há nele: as entregas são consultadas no ERP antes de sair',
  'plans in force look alike': 'Planos em vigor que parecem iguais',
  'what was stored before could not be entered': 'O que já estava guardado não pôde ser incluído nas listas novas',
  'samples outside their plan could not be listed': 'Medições fora do plano não puderam ser listadas',
  'a containment could not be followed': 'Uma contenção não pôde ser acompanhada; será tentado de novo em um minuto',
  'containments could not be followed': 'As contenções não puderam ser acompanhadas; será tentado de novo em um minuto',
  'an administrator has begun a new epoch': 'Um administrador começou uma nova época do banco',
  'how far the database has come could not be kept': 'A marca do banco de dados não pôde ser guardada',
  'names that look alike are registered':
    'Há nomes cadastrados que parecem iguais, com outro traço ou outra forma do acento: corrija-os no cadastro',
  'somebody came in or left': 'Alguém entrou ou saiu',
  'an access was refused': 'Um acesso foi recusado',
  'X-Forwarded headers of somebody who is not in TRUSTED_PROXIES are not believed':
    'Alguém que não está em TRUSTED_PROXIES disse falar por outro (X-Forwarded): não se acreditou. É o proxy da planta? Inclua o endereço dele',
  'an access could not be written down': 'Um acesso não pôde ser anotado na trilha',
  'the ERP is not the one that this database was used with':
    'Este ERP não é o que foi usado com este banco de dados: nada é enviado a ele (ERP_URL)',
  'the ERP could not be asked about what was sent before':
    'O ERP não pôde ser consultado sobre o que já tinha sido enviado',
  'no copy for what is to be sent again': 'O item do que será reenviado não pôde ser lido no ERP',
  'the backups could not be looked at': 'Os backups não puderam ser verificados',
  'the ERP answers the same to different orders: sending pauses':
    'O ERP responde o mesmo a ordens diferentes: o envio está em pausa, com uma tentativa por minuto',
  'the ERP confirms again: sending goes on': 'O ERP voltou a confirmar: o envio continua',
  "the database's clock could not be read": 'O relógio do banco de dados não pôde ser lido',
  'a delivery could not be worked on; it is taken up again later':
    'Uma entrega ao ERP falhou; será retomada mais tarde',
  'the outbox could not be read': 'A fila de entregas ao ERP não pôde ser lida',
  'a series of measurements could not be summed up': 'Uma série de medições não pôde ser resumida',
  'series of measurements could not be summed up': 'As séries de medições não puderam ser resumidas',
  'the ERP has a recording': 'Apontamento entregue ao ERP',
  'the ERP refused a recording': 'O ERP recusou um apontamento',
  'a delivery is still open': 'Uma entrega ao ERP continua em aberto',
  'a person must decide whether the ERP has this recording':
    'Um apontamento precisa de decisão: não se sabe se o ERP o registrou (veja Pendências)',
  'an outdated session secret was used again: the session is revoked':
    'Um acesso antigo foi usado de novo: a sessão foi encerrada',
  'an alarm has begun': 'Começou um alarme',
  'an alarm has ended': 'Terminou um alarme',
  'an alarm could not be sent': 'Um aviso não pôde ser enviado; será tentado de novo em um minuto',
  'what was retained could not be decided about': 'Um apontamento retido não pôde ser aceito agora; continua retido',
  'a slow ERP read failed after its copy had answered':
    'Uma consulta lenta ao ERP falhou; a tela mostrou a última cópia',
  'the ERP could not be read; looking for a copy': 'O ERP não pôde ser consultado; a última cópia foi procurada',
  'the copy could not be read again before the rules judged':
    'O item não pôde ser relido no ERP antes de um apontamento',
  'the lease of a place at the ERP ends by itself': 'Uma vaga de chamada ao ERP não pôde ser devolvida; vence sozinha',
  'a listener of live changes failed': 'Uma página não pôde ser avisada de mudanças',
  'live changes could not be read': 'As mudanças ao vivo não puderam ser lidas',
  'a handler took too long': 'Uma chamada demorou demais',
  'a handler failed': 'Uma chamada falhou por erro interno',
  'the database is out of reach': 'Banco de dados fora de alcance',
  'the database is out of reach; waiting for it': 'Banco de dados fora de alcance; o servidor espera por ele',
  'alarms could not be looked at': 'Os alarmes não puderam ser verificados',
  'the ERP could not be probed': 'A conexão com o ERP não pôde ser verificada',
  'the list of machines could not be read': 'A lista de máquinas não pôde ser lida',
  'outdated rows could not be removed': 'Registros antigos não puderam ser removidos',
  'names of operators that are no longer needed could not be taken out':
    'Nomes de operadores que já não são necessários não puderam ser retirados',
  'the schema was brought up to date': 'Banco de dados atualizado para esta versão',
  'the database was backed up before it was changed': 'Backup do banco feito antes de mudá-lo para esta versão',
  'the server listens': 'Servidor pronto para receber chamadas',
  'settings were changed in the page: the server puts itself together anew':
    'A configuração mudou na tela: o servidor se refaz com ela',
  'the secrets before the last save could not be taken out of their file':
    'As senhas de antes da última mudança não puderam ser tiradas de secrets.json',
  'the server has started': 'Servidor iniciado',
  'the server is stopping': 'Servidor encerrando',
  'a folder cannot be written to': 'Uma pasta não pode ser gravada: veja o motivo',
  'SQLite: this plant can have one server only; MariaDB (DATABASE_URL) allows more':
    'SQLite: a fábrica pode ter um só servidor; com MariaDB (DATABASE_URL) pode ter mais',
  'the key that signs is kept in the database: name a file for it (SECRET_KEY_FILE)':
    'A chave que assina está no banco de dados: dê a ela um arquivo (SECRET_KEY_FILE)',
  'the database did not answer the status call': 'O banco de dados não respondeu à consulta de status',
  'a stream goes on unchecked': 'Um canal de mudanças ao vivo segue sem verificação',
  'a stream broke off': 'Um canal de mudanças ao vivo se interrompeu',
  'ERP gave no token': 'O ERP não autorizou o acesso do painel',
  'ERP reachability changed': 'A conexão com o ERP mudou',
  'the ERP answered something else than asked for': 'O ERP respondeu algo diferente do pedido',
  'the directory does not answer: nobody is logged out for it':
    'O diretório da empresa não responde: por isso ninguém sai, e usuários locais entram (LDAP_URL)',
  'the directory cannot be used: nobody is logged out for it':
    'O diretório da empresa recusa o painel ou não mostra as pessoas: por isso ninguém sai, e usuários locais entram (LDAP_URL)',
  'the directory answers again': 'O diretório da empresa voltou a responder',
  'the directory could not be looked at': 'O diretório da empresa não pôde ser consultado',
  'no answer': 'O ERP não respondeu',
  'row of another branch dropped': 'O ERP enviou uma linha de outra filial; foi descartada',
  'row dropped: a field is missing or cannot be read':
    'O ERP enviou uma linha sem um campo, ou com um que não se pode ler; foi descartada',
  'the ERP repeats a page': 'O ERP repetiu uma página de resultados',
  'adapter failed': 'Falha interna na conversa com o ERP',
}

export const knownTexts: ReadonlySet<string> = new Set(Object.keys(texts))

/** As they stand in the stored log: words of nobody. */
export const panelTexts: readonly string[] = Object.values(texts)

export const textOf = (message: string): string => texts[message] ?? message
