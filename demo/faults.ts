import type { Fault, FaultId } from './simulator/faults.ts'

/** What a person switches on to see it: the faults as the simulator takes them, and what will be seen. */
type Show = { faults: readonly Fault[]; seen: string }

const once = (id: FaultId, seen: string, more: Partial<Fault> = {}): Show => ({ faults: [{ id, ...more }], seen })
const lasting = (id: FaultId, seen: string, more: Partial<Fault> = {}): Show => once(id, seen, { count: null, ...more })

const write = { operation: 'apontamentos' } as const
const read = { operation: 'itens' } as const

export const shows: Readonly<Record<FaultId, Show>> = {
  F01: lasting('F01', 'ERP lento: cada resposta demora mais 5 s. O apontamento aparece como salvo e segue depois.', {
    ms: 5000,
  }),
  F02: lasting('F02', 'ERP frio: a primeira resposta de cada processo demora mais 5 s. Ligue logo após o início.'),
  F03: once('F03', 'Fila do ERP cheia: o apontamento aparece como salvo e segue em instantes.', write),
  F04: once('F04', 'ERP sem licença: o apontamento aparece como salvo e segue em instantes.', write),
  F05: once('F05', 'O ERP não grava nem responde: salvo, e enviado de novo em cerca de 4 minutos.'),
  F06: once('F06', 'O ERP grava e não responde: salvo, e confirmado em cerca de 1 minuto, sem repetir.'),
  F07: once(
    'F07',
    'O ERP grava e mostra uma falha: o painel pergunta na hora e a tela mostra o apontamento confirmado.',
  ),
  F08: once('F08', 'O ERP não responde e grava 45 s depois: salvo, e confirmado em cerca de 1 minuto, sem repetir.'),
  F09: once('F09', 'Recusa com cara de sucesso: a tela mostra "Lote bloqueado".', write),
  F10: once(
    'F10',
    'O ERP grava e responde vazio: o painel pergunta na hora e a tela mostra o apontamento confirmado.',
    write,
  ),
  F11: once('F11', 'Página de erro em vez de gravar: salvo, e enviado de novo em cerca de 3 minutos.', write),
  F12: once(
    'F12',
    'O ERP grava e corta a resposta no meio: o painel pergunta na hora e a tela mostra o apontamento confirmado.',
    write,
  ),
  F13: lasting('F13', 'Duas respostas numa só: o painel pergunta na hora; nada muda na tela.'),
  F14: lasting('F14', 'Resposta com o nome errado: nada muda na tela.'),
  F15: lasting('F15', 'Acentos em CP1252: a tela mostra São José corretamente.'),
  F16: lasting('F16', 'Acentos em CP1252 que se dizem UTF-8: a tela mostra São José corretamente.'),
  F17: lasting('F17', 'Acentos codificados duas vezes: a tela mostra São José corretamente.'),
  F18: once(
    'F18',
    'O ERP grava e responde nulo: o painel pergunta na hora e a tela mostra o apontamento confirmado.',
    write,
  ),
  F19: once('F19', 'Recusa escrita dentro de outra: a tela mostra "Lote bloqueado".', write),
  F20: once('F20', 'Recusa no formato novo: a tela mostra "Lote bloqueado".', write),
  F21: once('F21', 'Registro preso no escritório por 20 s: salvo, e depois recusado em Pendências.'),
  F22: once('F22', 'Acesso ao ERP cortado antes da hora: o painel entra de novo e nada muda na tela.'),
  F23: {
    faults: [{ id: 'F22' }, { id: 'F23' }],
    seen: 'Acesso ao ERP cortado e renovação negada: o painel entra com a senha e nada muda na tela.',
  },
  F24: once('F24', 'Linhas de outra filial: a busca não as mostra.'),
  F25: lasting('F25', 'Listas em outro formato: nada muda na tela.'),
  F26: lasting('F26', 'Números como texto: nada muda na tela.'),
  F27: lasting('F27', 'A mesma página sem fim: a busca termina e mostra cada item uma vez.'),
  F28: lasting('F28', 'Leitura atrasada: por 30 s a busca mostra a quantidade de antes do apontamento.'),
  F29: once('F29', 'Ordem encerrada no meio: a tela mostra "Ordem de produção encerrada". Fica assim até reiniciar.'),
  F30: once('F30', 'Outra pessoa apontou o saldo: a tela mostra "Quantidade excede o saldo da ordem (saldo 0)".'),
  F31: lasting('F31', 'ERP fora do ar: ícone vermelho, busca com a última cópia, apontamento salvo e enviado depois.', {
    variant: 'refused',
  }),
  F32: once('F32', 'Conexão fechada sem aviso: o painel lê de novo e nada muda na tela.', read),
  F33: once('F33', 'Item apagado no ERP: a tela mostra "Código de barras não encontrado". Fica assim até reiniciar.'),
  F34: once(
    'F34',
    'Um sucesso que não diz nada, e o ERP não grava: salvo, e enviado de novo em cerca de 3 minutos.',
    write,
  ),
  F35: once(
    'F35',
    'O sucesso de outro apontamento, e o ERP não grava: salvo, e enviado de novo em cerca de 3 minutos.',
    write,
  ),
  F36: once(
    'F36',
    'O ERP grava e responde um erro: o painel pergunta na hora e a tela mostra o apontamento confirmado.',
    write,
  ),
  F37: once(
    'F37',
    'O ERP grava e responde sucesso e erro juntos: o painel pergunta na hora e a tela mostra o apontamento confirmado.',
    write,
  ),
  F38: once(
    'F38',
    'O ERP grava e mostra uma página sobre licenças: o painel pergunta na hora e a tela mostra o apontamento confirmado.',
    write,
  ),
  F39: once('F39', 'O ERP diz só uma frase: a tela mostra "Registro incluído com sucesso."', write),
  F40: lasting('F40', 'Falta a quantidade da ordem: a busca mostra a última cópia ou diz que faltam quantidades.'),
}
