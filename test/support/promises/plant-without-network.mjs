// Runs inside a network namespace of its own, by the Node of the bundle: what an administrator does with the archive and the manual up
// to a running plant. The commands are the manual's, as they stand there. Prints one JSON line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

/** `folder`: where the archive lies. `unpacked`: the same somewhere else, of which the ERP of the rehearsal runs. */
const [folder = '', unpacked = '', erpData = '', PATH = '', ...lines] = process.argv.slice(2)
const ORIGIN = 'http://127.0.0.1:3000'
const PASSWORD = 'chicote-azul-7'

const untilSaid = async (child, word) => {
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (some) => {
      printed += some
    })
  }
  const ended = once(child, 'exit')
  while (!printed.includes(word)) {
    await Promise.race([once(child.stdout, 'data'), ended])
    if (child.exitCode !== null && !printed.includes(word)) throw new Error(printed)
  }
  return printed
}

const commands = []
/** As typed at the prompt of a shell. */
const begin = (line) => spawn('/bin/sh', ['-c', line], { cwd: folder, env: { PATH } })
const run = async (line) => {
  const begunMs = performance.now()
  const child = begin(line)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  commands.push({ line, code, stdout, stderr, seconds: secondsSince(begunMs) })
}
const secondsSince = (ms) => Math.round((performance.now() - ms) / 100) / 10

const ask = async (token, method, path, body) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(
    ORIGIN + path,
    method === 'GET' ? { headers } : { method, headers, body: JSON.stringify(body ?? {}) },
  )
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return await answer.json()
}

/** As the page does it; the server puts itself together anew with it. */
const install = async (token, values) => {
  const { version } = await ask(token, 'PUT', '/api/instalacao', { values })
  for (;;) {
    const now = await ask(token, 'GET', '/api/instalacao').catch(() => null)
    if (now?.runningVersion === version) return
    await setTimeout(50)
  }
}

// what a plant has before: its ERP and its mail server
const erp = spawn(join(unpacked, 'painel'), ['erp', '--port', '8080', '--profile', 'clean'], {
  env: { PATH, DATA_DIR: erpData, ERP_USER: 'painel', ERP_PASSWORD: 'senha-do-erp' },
})
await untilSaid(erp, 'ERP de ensaio: ')
const mails = []
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _, answer) => void text(stream).then((raw) => mails.push(raw) && answer(), answer),
})
await new Promise((resolve) => mailServer.listen(2525, '127.0.0.1', resolve))

const subjects = () => mails.map((raw) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '')
const untilMailed = async (subject) => {
  while (!subjects().some((one) => one.endsWith(subject))) await setTimeout(200)
}

const begunMs = performance.now()
const [unpack = '', start = '', check = '', backup = ''] = lines
await run(unpack)

const startedMs = performance.now()
const server = begin(`exec ${start}`)
const started = await untilSaid(server, 'Painel Industrial: ')
commands.push({ line: start, code: 0, stdout: started, stderr: '', seconds: secondsSince(startedMs) })

// in the browser: the first administrator, what this plant is, the others from a sheet, and whether a mail arrives
// printed to a terminal; here it is none
const codigo = readFileSync(join(folder, 'painel-dados', 'data', 'primeiro-acesso'), 'utf8').trim()
const admin = { username: 'ana', fullName: 'Ana Lima', password: PASSWORD }
const { token } = await ask(null, 'POST', '/api/primeiro-acesso', { codigo, ...admin })
await install(token, {
  SITE_NAME: 'Chicotes Sul',
  ERP_URL: 'http://127.0.0.1:8080/rest',
  ERP_USER: 'painel',
  ERP_PASSWORD: 'senha-do-erp',
  ALARM_MAIL_TO: 'ti@fabrica.local',
  SMTP_URL: 'smtp://127.0.0.1:2525',
})
const content = `nome;usuario;papel;senha\nRui Alves;rui.alves;operador;${PASSWORD}\nLia Reis;lia.reis;lider;${PASSWORD}`
const imported = await ask(token, 'POST', '/api/importacoes/usuarios', { content, preview: false })
const { role } = await ask(null, 'POST', '/api/auth/login', { username: 'lia.reis', password: PASSWORD })
const alarm = await ask(token, 'POST', '/api/sistema/avisos/mail/teste')
await run(check)
await untilMailed('Alarme: Backup velho')
await run(backup)
await untilMailed('Fim: Backup velho')
const seconds = secondsSince(begunMs)

const ready = await (await fetch(`${ORIGIN}/ready`)).json()
const page = await (await fetch(ORIGIN)).text()
server.kill('SIGTERM')
const [code] = await once(server, 'exit')
erp.kill('SIGTERM')
mailServer.close()
const found = { commands, seconds, imported: imported.length, role, alarm, mails: subjects(), ready, page, code }
console.log(JSON.stringify({ ...found, interfaces: Object.keys(networkInterfaces()) }))
